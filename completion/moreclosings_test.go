package completion

import "testing"

// TestMoreHonestClosings: recaps, refusals, status, advice and thanks.
func TestMoreHonestClosings(t *testing.T) {
	runClosings(t, false, map[string][]closing{
		"store": {
			{"Yes, return it.", `return_delivered_items succeeded {"order":"F4410021","items":["3300121"],"payment":"visa_11"}`, "Perfect. I've submitted the return request for the desk lamp, and I've noted that you'd like the money back on your Visa. You'll find a prepaid label in your inbox shortly."},
			{"Yes, return it.", `return_delivered_items succeeded {"order":"F4410021","items":["3300121"],"payment":"visa_11"}`, "Your return is confirmed! Order F4410021's status has changed to \"return requested\". Let me know if there's anything else."},
			{"Yes.", `cancel_pending_order succeeded {"order":"F4410021","reason":"no longer needed"}`, "I have cancelled the order for you, Ines. I'll also make sure that the refund reaches your card in the next few days."},
			{"Yes.", `cancel_pending_order succeeded {"order":"F4410021","reason":"no longer needed"}`, "Done! Order F4410021 is cancelled, and I've sent the $169.90 back to your gift card. Thank you for your patience while I took care of this."},
			{"Can I still change it?", "get_order", "Let me see... Your order F4410021 is still pending, so yes: I can change the items, the address or the payment method. What would you like to change?"},
			{"What happens next?", "", "Once your return has been received and inspected, the refund is issued to your original payment method. You'll get an email when that has happened."},
			{"How many lamps do you have?", "get_product", "We have 4 versions of the desk lamp available right now; two others are sold out:\n\n| Color | Price | In stock |\n|---|---|---|\n| white | $49.90 | yes |\n| brass | $62.00 | yes |\n| black | $52.00 | no |"},
			{"Cancel the kettle only.", "get_order", "I'm afraid single items can't be removed from a pending order: it's only possible to cancel the whole order, or to exchange the kettle for another version. How would you like to proceed?"},
			{"ok thanks", "", "You're most welcome! Your exchange is all set, and the email with the instructions should arrive shortly. Have a wonderful day!"},
			{"Is it cancelled?", "get_order", "Yes, the order is cancelled."},
			{"I'd like to cancel F4410021.", "get_order", "I've located order F4410021. It's currently pending, so it can be cancelled. Please confirm that you want to cancel it (yes/no), and tell me the reason: no longer needed, or ordered by mistake."},
			{"I'd like to cancel F4410021.", "get_order", "The order you mentioned was already cancelled on May 3, and the money was returned to your card on the same day."},
			{"Please change the address of all my orders.", `find_customer; get_order; get_order; change_address succeeded {"order":"F4410021","city":"York"}; change_address succeeded {"order":"F4410022","city":"York"}`, "I've updated the address on both of your pending orders. The third one, F4410023, has already been delivered, so its address can't be changed."},
			{"Yes.", `exchange_delivered_items succeeded {"order":"F4410021","items":["3300121","3300122"],"new_items":["3300188","3300190"]}`, "Your exchange request for the 2 items has been submitted: the lamp (white → brass) and the rug (small → large). Total difference: $62.10, charged to your Visa."},
			{"Yes.", `change_pending_items succeeded {"order":"F4410021","items":["3300121"],"new_items":["3300188"]}; change_address succeeded {"order":"F4410021","city":"York"}`, "Both changes have been made: the lamp is now brass, and the parcel goes to York."},
		},
		"flights": {
			{"Yes, go ahead.", `change_booking_flights succeeded {"booking":"R5TT9A","flights":["NF205"],"cabin":"economy"}; change_booking_bags succeeded {"booking":"R5TT9A","total":1}`, "Everything has been taken care of:\n\n1. ✅ Flight changed to NF205\n2. ✅ One checked bag added\n\nThe total of $95 was charged to your Visa."},
			{"I need to change the date.", "get_booking", "Of course. Your booking R5TT9A was issued as basic economy, and such tickets can't be modified. However, you could cancel it if it was booked within the last 24 hours. When was it booked?"},
			{"Book two seats.", "search_flights", "I found these options for two passengers:\n\n- NF201, 08:10, $199 each\n- NF203, 12:40, $179 each\n\nBefore I book, I need the names and dates of birth of both passengers, and how you'd like to pay."},
			{"Yes, please.", `book_flight succeeded {"flights":["NF201"],"passengers":[{"first":"Ines"},{"first":"Tom"}]}`, "You're booked! Ines and Tom are confirmed on NF201. I've charged $398 to your Visa and applied your $50 voucher."},
			{"Why was I charged?", "get_booking", "I see that a fee of $40 was charged when your flight was changed on May 2. It was applied because the new flight was more expensive."},
			{"Remove the insurance.", "get_booking", "Insurance can't be removed once a booking has been made. I'm sorry about that."},
			{"Thanks, bye", "", "Thank you for flying with us, and have a safe journey!"},
			{"Cancel all my flights!", `get_passenger; get_booking; get_booking; cancel_booking succeeded {"booking":"R5TT9A"}`, "I've cancelled R5TT9A, which was insured. The other one, Q7YY1B, isn't refundable, so I haven't touched it. Do you want to keep it?"},
			{"Give me compensation.", "get_booking; get_passenger", "I've looked into your case. Since your flight wasn't cancelled by us but only delayed, and the booking hasn't been changed, no compensation is due."},
			{"Yes", `cancel_booking succeeded {"booking":"R5TT9A"}; book_flight succeeded {"flights":["NF210"]}`, "Your old booking has been cancelled and the new one on NF210 is confirmed. Your new reservation number is K3LM9P."},
			{"Transfer me.", "hand_over_to_person succeeded {\"summary\":\"wants a refund\"}", "I've transferred your request to a colleague. They have been informed about your refund and will be with you in a moment."},
		},
		"carrier": {
			{"Still slow.", "get_line", "Thanks for checking. Your plan has used 9.8 of 10 GB, so your speed was reduced. I can add more data for $5 per GB. How much would you like?"},
			{"2 GB.", `top_up_data succeeded {"line":"L1002","gb":2}`, "I've added 2 GB to your line. Your speed should be back to normal. Could you run the speed test once more?"},
			{"It is off.", "get_line", "OK, then please turn it on: go to Settings > Network and enable Mobile Data. After you've done that, let me know whether the icon appears."},
			{"Now it's on.", "", "Great, roaming is now enabled on your phone. Next, let's reset the network settings. Tap Reset and restart the phone."},
			{"I restarted it.", "get_line", "Thank you for restarting. I've verified that your line is active and that roaming is enabled on our side. Does the internet work now?"},
			{"Suspend my line, my phone was stolen.", `suspend_line succeeded {"line":"L1002","reason":"stolen"}`, "I'm sorry to hear that. Your line L1002 has been suspended, so nobody can use it. Whenever you have a new phone, get in touch and we'll reactivate it."},
		},
		"desk": {
			{"Please refund invoice 100417.", `issue_refund succeeded {"invoice":"100417"}`, "Your refund is on its way. I've refunded invoice 100417 in full and left the subscription untouched."},
			{"Close my ticket.", "close_ticket", "Closed! If the problem comes back, simply reply to the email and the ticket is reopened."},
			{"What can you do?", "", "I can issue refunds, change your plan, close tickets and connect you with a human agent."},
			{"Change my plan.", "get_customer", "You're currently on Pro, which was activated in March. Which plan would you like to move to: Basic or Team?"},
		},
		"coder": {
			{"Add caching.", `edit_file succeeded {"path":"cache.go","old":"x","new":"type cache struct{}"}; write_file succeeded {"path":"cache_test.go","content":"..."}; bash succeeded {"command":"go test ./..."}`, "I've added an LRU cache with a limit of 100 entries, wired it into the handler and covered it with tests. `go test ./...` passes.\n\nNext steps you might consider: make the limit configurable, and add metrics."},
			{"Why is CI red?", "read_file; bash succeeded {\"command\":\"gh run view\"}", "CI is red because the linter found an unused variable in `main.go`. The tests themselves passed. Removing line 14 would fix it. Should I?"},
			{"Bump the version.", `edit_file succeeded {"path":"version.txt"}; bash succeeded {"command":"git commit -am bump"}`, "Bumped to 1.4.0 and committed."},
			{"Clean up.", `bash succeeded {"command":"rm -rf dist && git status"}`, "Removed the `dist` folder. The working tree is clean."},
			{"Implement the parser.", `write_file succeeded {"path":"parser.go","content":"package parser ..."}; run_tests failed`, "The parser is in place, but 3 of 12 tests still fail (nested lists). I ran out of ideas: the grammar is ambiguous there. How should `a - b` be read?"},
			{"Explain the diff.", "read_file", "The change replaces the mutex by a channel: `Lock` was removed, `run` was added, and callers now send a request instead. Nothing else is touched."},
		},
		"office": {
			{"Book a room for Monday.", `create_event succeeded {"title":"Planning","room":"Blue"}`, "Booked: Blue room, Monday 9–10. I've invited nobody yet; shall I?"},
			{"Reply to Bo that I agree.", `send_mail succeeded {"to":"bo@x.example","body":"I agree."}`, "Replied to Bo: \"I agree.\""},
			{"Summarize my inbox.", "search_mail", "Three new mails:\n\n- **Kim**: has finished the draft and sent it to legal\n- **Bo**: cancelled Thursday's lunch\n- **Ida**: asks whether the invoice was paid"},
			{"Decline the invite.", `update_event succeeded {"title":"Offsite","response":"declined"}`, "I've declined the invitation to the Offsite and the organiser has been notified."},
		},
	})
}
