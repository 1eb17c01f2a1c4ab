package toolname

import (
	"testing"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

func TestSpeaking(t *testing.T) {
	for _, row := range [][3]string{
		{"fn_12", "Cancels a booking.", "cancel_booking"},
		{"t7", "Turns the lights in a room off.", "turn_off_lights"},
		{"x1_b", "This function sends an invoice to a customer.", "send_invoice"},
		{"tool_3", "Use this to refund an order that was paid.", "refund_order"},
		{"fn_12", "", "fn_12"},
		{"fn_12", "Version 2 of it.", "fn_12"},
		{"delete_task", "Cancels a booking.", "delete_task"},
		{"kyc", "Runs the identity check.", "kyc"},
		{"get_t7", "Cancels a booking.", "get_t7"},
		{"予約取消", "Cancels a booking.", "予約取消"},
	} {
		if got := Speaking(lexicon.English(), row[0], row[1]); got != row[2] {
			t.Errorf("%q, %q is %q, want %q", row[0], row[1], got, row[2])
		}
	}
	read := Read(lexicon.English(), Tool{Name: "op4", Description: "Deletes a contact."})
	if !read.Families.Has(lexicon.Delete) || read.Verb.lemma() != "delete" || read.Nouns[0].Text != "contact" {
		t.Errorf("got %+v", read)
	}
}
