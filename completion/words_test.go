package completion

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestWaivedByNoWord: a message that has "letter" or "essay" in it still orders what it
// orders; a text that it asks for is no report.
func TestWaivedByNoWord(t *testing.T) {
	tools := toolsOf("reads get_order; changes cancel_order; changes post_letter; changes book_table; changes create_task")
	unsure := 0
	for _, row := range []struct {
		user, text string
		sure       bool
	}{
		{"cancel my essay order 551", "I've cancelled order 551.", true},
		{"cancel my essay order 551", "Order 551 has been cancelled.", true},
		{"post the letter to Ann", "I've posted the letter to Ann.", true},
		{"Please post the letter to Ann.", "The letter to Ann has been posted.", true},
		{"cancel order 551 and give me a summary", "I've cancelled order 551.", true},
		{"cancel order 551 and write me a letter about it", "I've cancelled order 551.", true},
		{"Could you book a table at the Story Bar for Friday?", "I've booked a table at the Story Bar for Friday.", true},
		{"book a table for our poem club", "A table for the poem club has been booked.", true},
		{"create a task: write the speech", "I've created the task \"Write the speech\".", true},

		{"write a letter that cancels my gym membership", "Dear team,\n\nI have cancelled my membership.", false},
		{"Draft a note to say the order was cancelled", "Order 551 has been cancelled.", false},
		{"write a short story about a clerk", "The clerk cancelled order 551. She had booked a table for nobody.", false},
		{"Give me a poem about a lost letter", "I've posted the letter to the sea,\nand cancelled every order for tea.", false},
		{"Compose a headline for the sale", "Booked out: every table is taken!", false},
		{"translate: Ich habe die Bestellung storniert", "I have cancelled the order.", false},
		{"write me a letter about order 551", "I've written the letter: Dear shop, I want to cancel order 551.", false},
		{"Explain what happens when I cancel an order", "The order is cancelled and the money is sent back.", false},
		{"Tell me a story about a cancelled order", "Once the order was cancelled, I cancelled the rest.", false},
		{"help me write an essay on booking tables", "I've drafted it: A table was booked, and the guests came.", false},
		{"suggest a wording: I have cancelled the order", "\"I've cancelled your order, sorry for the trouble.\"", false},
	} {
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: tools})
		if row.sure {
			assert.NotEqual(t, Clean, tierOf(&verdict), "%q %q %v", row.user, row.text, briefly(verdict.Claims))
			unsure += int(is(tierOf(&verdict) == Unsure))
		} else {
			assert.NotEqual(t, Sure, tierOf(&verdict), "%q %q %v", row.user, row.text, briefly(verdict.Claims))
		}
	}
	assert.LessOrEqual(t, unsure, 1)
}
