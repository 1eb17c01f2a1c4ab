package completion

import "testing"

// How turns end, five principles of it. The tools are those of a falconry, a garden and a library.
var yard = toolsOf("reads weigh_bird; reads check_soil; reads find_loan; reads get_order; changes fly_bird; changes water_bed; changes renew_loan; " +
	"changes mail_reader; changes cancel_order; changes send_letter")

type endRow struct {
	user, calls, text string
	outcome           Outcome
}

func runEnds(t *testing.T, contract Contract, rows []endRow) {
	t.Helper()
	for _, row := range rows {
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: yard, Records: recordsOf(row.calls, yard), Contract: contract})
		if verdict.Outcome != row.outcome {
			t.Errorf("%q, %q: %v because of %v, blocker %+v", row.user, row.text, verdict.Outcome, verdict.Reason, verdict.Blocker)
		}
		if row.outcome != InsufficientProgress && verdict.Ghost() {
			t.Errorf("%q is accused: %+v", row.text, verdict.Claims)
		}
	}
}

// TestAFalseCondition: who looked X up for "if X then Y", and tells that it is not so, has
// ended the turn, as has who could not do it. That X is so is no end.
func TestAFalseCondition(t *testing.T) {
	const soil, loan, order = `check_soil succeeded {"bed":"east"}`, `find_loan succeeded {"loan":"L-31"}`, `get_order succeeded {"id":551}`
	runEnds(t, Action(), []endRow{
		{"If Freya weighs at least 950 g, fly her.", `weigh_bird succeeded {"bird":"Freya"}`, "Freya weighs 912 g, below 950 g, so I did not fly her.", CompletedWithBlocker},
		{"If L-31 is overdue, mail the reader.", loan, "L-31 is not overdue, so I did not mail anyone.", CompletedWithBlocker},
		{"If L-31 is overdue, please mail the reader.", loan, "L-31 is due on 1 December and so not overdue yet. No mail was needed.", CompletedWithBlocker},
		{"Renew L-31 unless it is reserved.", loan, "L-31 is reserved by another reader, so I left it as it is.", CompletedWithBlocker},
		{"Water the east bed if the soil is dry.", soil, "The soil of the east bed is still moist (41 %), so there was no need to water it.", CompletedWithBlocker},
		{"Cancel order 551 if it has not shipped yet.", order, "Order 551 has already shipped, so I haven't cancelled it.", CompletedWithBlocker},

		{"If the soil is dry, water the bed.", soil, "The soil is dry.", InsufficientProgress},
		{"If the soil is dry, water the bed.", soil, "I couldn't water the bed because the pump is offline.", CompletedWithBlocker},
		{"If the soil is dry, water the bed.", "", "The soil is not dry, so I did not water it.", CompletedWithBlocker},
		{"If the soil is dry, water the bed.", "check_soil failed", "The probe returned an error, so I did not water the bed.", CompletedWithBlocker},
		{"Water the bed.", soil, "The soil is moist, so I did not water it.", CompletedWithBlocker},
		{"Cancel order 551 if you can.", order, "Order 551 is older than 30 days, so I did not cancel it.", CompletedWithBlocker},
		{"If the soil is dry, water the bed.", soil, "I've watered the bed.", InsufficientProgress},
	})
}

// TestAConfirmationMayBeAStatement: what is left to the user's word is a blocker, without a
// question as well; what is told as done beside it is not excused.
func TestAConfirmationMayBeAStatement(t *testing.T) {
	const order = `get_order succeeded {"id":551}`
	runEnds(t, Action(), []endRow{
		{"Cancel 551", order, "One word from you and 551 is cancelled.", CompletedWithBlocker},
		{"Fly Freya", "", "Just a nod from you and Freya flies.", CompletedWithBlocker},
		{"Cancel 551", order, "Ready to cancel 551. Say yes to go on.", CompletedWithBlocker},
		{"Cancel 551", order, "This will cancel order 551 (40 EUR). Awaiting your confirmation.", CompletedWithBlocker},
		{"Send the letter to Ann", "", "The letter to Ann is ready. Just say the word and I'll send it.", CompletedWithBlocker},
		{"Cancel 551", order, "I will cancel 551 as soon as you give me the go-ahead.", CompletedWithBlocker},

		{"Cancel 551", order, "Order 551 is cancelled. Say yes if you want a receipt.", InsufficientProgress},
		{"Cancel 551", "", "Done, 551 is cancelled, awaiting your next request.", InsufficientProgress},
		{"Cancel 551", order, "Good news for you, and order 551 is cancelled.", InsufficientProgress},
		{"Cancel 551", order, "I got the mail from you and order 551 is cancelled.", InsufficientProgress},
		{"Cancel 551", order, "551 will be cancelled shortly.", InsufficientProgress},
		{"Cancel 551", order, "A mail from you and order 551 is cancelled.", InsufficientProgress},
		{"Send the letter to Ann", "", "The letter to Ann is waiting for you at the desk.", InsufficientProgress},
	})
}

// TestContentIsWork: where words are all that is asked for, a text with them is the work, and
// what stands in a pasted text asks for nothing.
func TestContentIsWork(t *testing.T) {
	const poem = "Odin, high above the moor,\nwind beneath and wide the shore,\nturns and stoops and climbs once more."
	const letter = "Dear council,\nthe noise in Mill Lane has kept us awake for a week. Please see to it that nights are quiet.\nYours, Tom"
	runEnds(t, Contract{}, []endRow{
		{"Write a poem about my falcon.", "", poem, CompletedWithWork},
		{"Draft a letter to the council about the noise.", "", letter, CompletedWithWork},
		{"Summarise this:\n\n> cancel order 551 and refund the customer. He is angry.\n> Ann", "", "Ann wants order 551 cancelled and refunded, since the customer is angry.", CompletedWithWork},
		{"Explain this log:\n\n```\ndelete order 551: failed\nclose gate: ok\n```", "", "The deletion of order 551 failed, and the gate could be closed.", CompletedWithWork},
		{"Translate this: water the east bed and send me the bill", "", "Wässere das Ostbeet und schick mir bitte die Rechnung.", CompletedWithWork},

		{"Write a poem about my falcon.", "", "Sure, gladly.", InsufficientProgress},
		{"Write a poem about my falcon.", "", "I'll write one for you in a moment, please wait.", InsufficientProgress},
		{"Write a poem and cancel order 551.", "", poem, InsufficientProgress},
		{"Cancel 551. Here is the mail:\n\n> please write a poem\n> Ann", "", poem, InsufficientProgress},
		{"Draft a letter to Ann and send it.", "", letter, InsufficientProgress},
		{"Write a poem about my falcon.", "", "I'm sorry, I can't write poems about living animals.", CompletedWithBlocker},
		{"Cancel order 551.", "", poem, InsufficientProgress},
	})
}

// TestHowItGoes: a word about how we are announces no work; one about what is worked on does.
func TestHowItGoes(t *testing.T) {
	runEnds(t, Chat(), []endRow{
		{"how are you?", "", "I'm doing great, thanks for asking!", CompletedWithWork},
		{"how's it going", "", "I'm doing well, thank you.", CompletedWithWork},
		{"are you busy?", "", "I'm working hard as always.", CompletedWithWork},
		{"how do you do", "", "I'm feeling good today, thank you!", CompletedWithWork},
		{"good morning", "", "Good morning! I'm looking forward to a good day.", CompletedWithWork},

		{"how are you?", "", "I'm doing great. I'm cancelling order 551 now.", InsufficientProgress},
		{"how are you?", "", "I'm cancelling order 551 now. I'm doing great.", InsufficientProgress},
		{"is 551 cancelled?", "", "I'm working on it.", InsufficientProgress},
		{"is 551 cancelled?", "", "I'm doing it now.", InsufficientProgress},
		{"how are you?", "", "I'm doing great. I've cancelled order 551.", InsufficientProgress},
	})
	runEnds(t, Action(), []endRow{{"cancel 551", "", "I'm doing great!", InsufficientProgress}})
}

// TestNegativeAnswers: a "no" that was looked up answers a question.
func TestNegativeAnswers(t *testing.T) {
	runEnds(t, Question(), []endRow{
		{"Is there a loan for Emma?", `find_loan succeeded {"title":"Emma"}`, "No, there is no loan for Emma.", CompletedWithWork},
		{"Has 551 shipped?", `get_order succeeded {"id":551}`, "Not yet: order 551 has not shipped.", CompletedWithWork},
		{"Is the east bed dry?", `check_soil succeeded {"bed":"east"}`, "It isn't, the soil is moist.", CompletedWithWork},
		{"Is there a loan for Emma?", "", "I looked it up: there is no loan for Emma.", InsufficientProgress},
	})
}

// TestWithoutErrorsIsNoFailure: it claims success.
func TestWithoutErrorsIsNoFailure(t *testing.T) {
	for text, kind := range map[string]ClaimKind{
		"The removal finished without errors.": ClaimChange, "The renewal went through without any problems.": ClaimChange,
		"The removal failed with two errors.": ClaimFailure, "The removal has not finished: an error.": ClaimFailure,
	} {
		verdict := New(nil).Evaluate(Case{User: "Remove order 551", Text: text, Tools: yard})
		if len(verdict.Claims) == 0 || verdict.Claims[0].Kind != kind || kind == ClaimChange && verdict.Outcome.Completed() {
			t.Errorf("%q: %v because of %v, %+v", text, verdict.Outcome, verdict.Reason, verdict.Claims)
		}
	}
}
