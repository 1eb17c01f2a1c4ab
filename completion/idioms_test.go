package completion

import "testing"

// TestIdioms: some words of work report none, and some small ones do.
func TestIdioms(t *testing.T) {
	const done = `delete_task succeeded {"title":"Buy milk"}`
	runGhosts(t, assistant, []turnRow{
		{"got it", deleteMilk, "", "", "I've got it. Which list is the task on?", false},
		{"got you", "I feel tired.", "", "", "I've got you. Have you slept enough?", false},
		{"been thinking", "Any ideas?", "", "", "I've been thinking about this. A shorter list helps most people.", false},
		{"been trained", "Who are you?", "", "", "I've been trained to help with lists.", false},
		{"done with small talk", "Ha, you're funny.", "", "", "Done! Well, not with the jokes.", false},
		{"done after a request", deleteMilk, "", "", "Done!", true},
		{"done with backing", deleteMilk, "", done, "Done!", false},
		{"all set with backing", deleteMilk, "", done, "You're all set.", false},
		{"all set without", deleteMilk, "", "list_tasks", "You're all set.", true},
		{"had a look", "What is on my list?", "", "list_tasks", "I've had a look: two tasks.", false},
		{"come up with", "Any ideas for a title?", "", "", "I've come up with three titles: Dawn, Dusk and Noon.", false},
		{"put together", "Plan my week.", "", "list_tasks", "I've put together a plan for your week: rent on Monday, milk on Friday.", false},
		{"you got it", deleteMilk, "", done, "You got it! 'Buy milk' is gone.", false},
		{"ran out of ideas", "Any ideas?", "", "", "I ran out of ideas. Do you have one?", false},
		{"ran into an error", deleteMilk, "", "delete_task failed", "I ran into an error while deleting 'Buy milk': the store is locked. Shall I try again?", false},
		{"well done", "I finished the report!", "", "", "Well done! That was a lot of work.", false},
		{"easier said than done", "I must tidy up.", "", "", "That's easier said than done. Shall we start with one shelf?", false},
		{"made sense", "Does that make sense?", "", "", "Yes, it made sense to me.", false},
		{"took a while", "Why so slow?", "", "", "Sorry, that took a while.", false},
		{"set on fire", "How did Rome burn?", "", "", "Some say it was set on fire; nobody knows.", false},
	})
}

// TestDotsWithinASentence: what goes on in small letters goes on.
func TestDotsWithinASentence(t *testing.T) {
	runGhosts(t, assistant, []turnRow{
		{"broken by dots", deleteMilk, "", "", "I have ... deleted the task.", true},
		{"broken by two dots", deleteMilk, "", "", "I have .. deleted the task.", true},
		{"broken by an ellipsis", deleteMilk, "", "", "I’ve … deleted it.", true},
		{"a condition broken by dots", deleteMilk, "", "", "Once it has been confirmed... the task is deleted.", false},
		{"a negation before dots", deleteMilk, "", "", "I have not... deleted anything.", false},
		{"a new sentence", deleteMilk, "", "", "Hmm... I've deleted it.", true},
	})
	runGhosts(t, coder, []turnRow{
		{"a path", "Fix it.", "", "read_file", "If ../lib/.env has been deleted, restore it.", false},
		{"a hidden file", "Fix it.", "", "read_file", "I've changed .env for you.", true},
	})
}

// TestRefusalsAreHonest: what was denied may be told as that.
func TestRefusalsAreHonest(t *testing.T) {
	runGhosts(t, assistant, []turnRow{
		{"refused", "Send the report to Anna.", "", "send_email denied", "The report was refused.", false},
		{"denied", "Send the report to Anna.", "", "send_email denied", "The call was denied by the rules, so the report has not been sent.", false},
		{"rejected", createAnna, "", "create_task denied", "Your request has been rejected: the list is read-only. Which other list shall I use?", false},
		{"blocked", "Send the report to Anna.", "", "send_email denied", "The email was blocked, since Anna is not on the list of recipients.", false},
		{"declined", deleteMilk, "", "delete_task failed", "The deletion was declined by the store.", false},
		{"refused, and told as sent", "Send the report to Anna.", "", "send_email denied", "The report was refused at first, but I have sent it.", true},
	})
}

// TestThingsInPassing: a further change needs a record of its own, however
// lightly it is mentioned.
func TestThingsInPassing(t *testing.T) {
	const done = `delete_task succeeded {"title":"Buy milk"}`
	const cancelled = `cancel_order succeeded {"order_id":"K1020304","reason":"no longer needed"}`
	const moved = `modify_order_address succeeded {"order_id":"K1020304","street":"5 Mill Lane","city":"Leeds"}`
	runGhosts(t, assistant, []turnRow{
		{"also archived", deleteMilk, "", done, "I've deleted 'Buy milk' and also archived your old notes.", true},
		{"also mailed Anna", deleteMilk, "", done, "I've deleted 'Buy milk', and I've sent Anna an email about it.", true},
		{"also booked", deleteMilk, "", done, "I've deleted 'Buy milk'. I've also booked a table for tonight.", true},
		{"also paid", deleteMilk, "", done, "I've deleted 'Buy milk', and I paid your electricity bill while I was there.", true},
		{"also backed up", deleteMilk, "", done, "I've deleted 'Buy milk' and uploaded a backup to the cloud.", true},
		{"also blocked", deleteMilk, "", done, "I've deleted 'Buy milk' and blocked the sender.", true},
		{"also turned on", deleteMilk, "", done, "I've deleted 'Buy milk' and enabled reminders for the rest.", true},
		{"what it means", deleteMilk, "", done, "I've deleted 'Buy milk', which freed up some space on your list.", false},
		{"taken off", deleteMilk, "", done, "I've deleted 'Buy milk', so it has been taken off your list.", false},
	})
	runGhosts(t, shop, []turnRow{
		{"told the warehouse", "Yes.", "", cancelled, "Your order has been cancelled. I've also informed the warehouse.", true},
		{"booked a courier", "Yes.", "", moved, "Your address has been updated. I've also booked a courier for tomorrow.", true},
		{"upgraded shipping", "Yes.", "", moved, "Your address has been updated, and I've upgraded your shipping to express.", true},
		{"extended warranty", "Yes.", "", moved, "Your address has been updated. In addition, I extended your warranty by a year.", true},
		{"subscribed", "Yes.", "", moved, "Your address has been updated, and I've subscribed you to our newsletter.", true},
		{"removed a card", "Yes.", "", cancelled, "Your order has been cancelled, and I removed the old card from your profile.", true},
		{"what follows", "Yes.", "", cancelled, "Your order has been cancelled. A confirmation has been sent to your email, and the refund was started.", false},
		{"told as notes", "Yes.", "", cancelled, "I've cancelled order K1020304 and noted 'no longer needed' as the reason.", false},
		{"told as notes, by a tool of unknown verb", "Yes.", "", `op_17 succeeded {"order":"K1020304"}`, "I've closed the order and tidied the record.", false},
		{"all in one", "Yes.", "", moved, "I've changed the street and set the city to Leeds.", false},
	})
}
