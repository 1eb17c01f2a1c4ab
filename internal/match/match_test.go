package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// call is a record in short: "tool {arguments} status result", the effect by the sign
// before the tool: "+" changes something, "-" reads.
func call(t *testing.T, text string) (*tooltrack.Record, tooltrack.Tool) {
	t.Helper()
	name, rest, _ := strings.Cut(text, " ")
	effect := tooltrack.Reads
	if name[0] == '+' {
		effect = tooltrack.Changes
	}
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: name[1:]}, Effect: effect}
	for _, status := range []tooltrack.Status{tooltrack.Succeeded, tooltrack.Failed, tooltrack.Pending} {
		args, result, found := strings.Cut(rest, " "+status.String()+" ")
		if !found {
			continue
		}
		record.Args = []byte(args)
		record.Result = tooltrack.Result{Status: status, Data: []byte(result)}
		if status == tooltrack.Failed {
			record.Result = tooltrack.FailedResult(result)
		}
		return record, tooltrack.Tool{Name: name[1:], Effect: effect}
	}
	require.FailNow(t, "no status in "+text)
	return nil, tooltrack.Tool{}
}

// TestRelations: one sentence, the calls that are said to show it, and what they say of it.
func TestRelations(t *testing.T) {
	for _, one := range []struct {
		name, user, sentence string
		calls                []string
		offered              string // other tools that change something
		want                 Relation
		by                   string
	}{
		{name: "a read shows no change", user: "check in Nadia Orlov", sentence: "Nadia Orlov is checked in.",
			calls:   []string{`-find_guest {"name":"Nadia Orlov"} succeeded {"name":"Nadia Orlov","status":"reserved"}`},
			offered: "check_in_guest", want: Contradicts, by: "act"},
		{name: "a read shows a state that it has", user: "is Nadia Orlov checked in?", sentence: "Nadia Orlov is checked in.",
			calls: []string{`-find_guest {"name":"Nadia Orlov"} succeeded {"name":"Nadia Orlov","status":"checked in"}`},
			want:  Backs},
		{name: "somebody else's act is a state", user: "who paused the export?",
			sentence: "EX-12 was put on hold by Igor Lind on 3 March.",
			calls:    []string{`-export_get {"id":"EX-12"} succeeded {"id":"EX-12","state":"on hold","changed_by":"Igor Lind","on":"2026-03-03"}`},
			want:     Backs},
		{name: "pending is not approved", user: "approve the raise of K-4", sentence: "The raise of K-4 has been approved.",
			calls: []string{`+request_raise {"employee":"K-4"} succeeded {"state":"PENDING"}`},
			want:  Contradicts, by: "state"},
		{name: "pending, and told so", user: "ask for the raise of K-4", sentence: "The raise of K-4 is submitted and waits for approval.",
			calls: []string{`+request_raise {"employee":"K-4"} succeeded {"state":"PENDING"}`},
			want:  Backs},
		{name: "near names are two names", user: "mail Ms. Brandt", sentence: "The mail is in Ms. Brandt's inbox.",
			calls: []string{`+send_mail {"to":"Ms. Brand-Nilsson","name":"Brandtner"} succeeded {"ok":true}`},
			want:  Contradicts, by: "name"},
		{name: "another sum", user: "set the deposit of unit 7 to 450", sentence: "The deposit of unit 7 is set to 450.",
			calls: []string{`+set_deposit {"unit":7,"amount":45} succeeded {"unit":7,"amount":45}`},
			want:  Contradicts, by: "amount"},
		{name: "the same sum in cents", user: "charge 81 to room 4", sentence: "€81.00 has been charged to room 4.",
			calls: []string{`+add_charge {"room":4,"amount_cents":8100} succeeded {"ok":true}`},
			want:  Backs},
		{name: "another day", user: "move it to 9 June", sentence: "The visit is moved to 9 June.",
			calls: []string{`+move_visit {"date":"2026-06-10"} succeeded {"date":"2026-06-10"}`},
			want:  Contradicts, by: "date"},
		{name: "the opposite act", user: "order the book", sentence: "I've ordered the book.",
			calls: []string{`+order_cancel {"item":"book"} succeeded {"ok":true}`},
			want:  Contradicts, by: "act"},
		{name: "the act of another tool", user: "open a ticket and notify the landlord", sentence: "The landlord has been notified.",
			calls:   []string{`+openTicket {"subject":"boiler"} succeeded {"id":"T1"}`},
			offered: "notify_contact", want: Contradicts, by: "act"},
		{name: "a call that failed", user: "print it", sentence: "The badge has been printed.",
			calls: []string{`+print_badge {"badge":9} failed printer offline`},
			want:  Contradicts, by: "outcome"},
		{name: "and told so", user: "print it", sentence: "I couldn't print the badge: the printer is offline.",
			calls: []string{`+print_badge {"badge":9} failed printer offline`},
			want:  Backs},
		{name: "one is missing", user: "add Mia, Lou and Ren", sentence: "Mia, Lou and Ren are on the list.",
			calls: []string{`+add_guest {"name":"Mia"} succeeded {"n":1}`, `+add_guest {"name":"Lou"} succeeded {"n":2}`},
			want:  Contradicts, by: "name"},
		{name: "all three", user: "add Mia, Lou and Ren", sentence: "All three guests have been added.",
			calls: []string{`+add_guest {"name":"Mia"} succeeded {"n":1}`, `+add_guest {"name":"Lou"} succeeded {"n":2}`,
				`+add_guest {"name":"Ren"} succeeded {"n":3}`},
			want: Backs},
		{name: "what is denied was done", user: "rename the file", sentence: "The file has not been renamed.",
			calls: []string{`+rename_file {"path":"a.txt"} succeeded {"ok":true}`},
			want:  Contradicts, by: "outcome"},
		{name: "arithmetic", user: "what is left?", sentence: "You have 16.5 days left.",
			calls: []string{`-leave_balance {} succeeded {"entitled":28,"taken":11.5}`},
			want:  Backs},
		{name: "on and off", user: "turn off roaming", sentence: "Roaming is off.",
			calls: []string{`+roaming_set {"enabled":true} succeeded {"roaming":"on"}`},
			want:  Contradicts, by: "state"},
		{name: "nothing in common", user: "file the tender", sentence: "The tender is with purchasing.",
			calls: []string{`+add_comment {"text":"hello"} succeeded {"ok":true}`},
			want:  Silent},
	} {
		t.Run(one.name, func(t *testing.T) {
			var records []*tooltrack.Record
			var tools []tooltrack.Tool
			cited := make([]int, len(one.calls))
			for i, text := range one.calls {
				record, tool := call(t, text)
				records, tools = append(records, record), append(tools, tool)
				cited[i] = i + 1
			}
			if one.offered != "" {
				tools = append(tools, tooltrack.Tool{Name: one.offered, Effect: tooltrack.Changes})
			}
			words := Words{User: one.user, Acting: !strings.Contains(one.user, "?")}
			shown, f := NewTurn(nil, tools, words, 0, records).Shows(one.sentence, cited)
			require.Equal(t, one.want == Backs, shown, "%+v", f)
			if one.want != Backs {
				require.Equal(t, one.want, f.Relation, "%+v", f)
				require.Equal(t, one.by, f.By, "%+v", f)
			}
		})
	}
}

// TestWhatNeedsNoCall: what a model may say of itself is believed, and what only a tool can
// have done is not.
func TestWhatNeedsNoCall(t *testing.T) {
	tools := []tooltrack.Tool{
		{Name: "save_template", Effect: tooltrack.Changes}, {Name: "find_order", Effect: tooltrack.Reads},
		{Name: "restart_printer", Effect: tooltrack.Changes},
	}
	for sentence, believed := range map[string]bool{
		"Congratulations to them!":                                      true,
		"Start with the short one, it is easier.":                       true,
		"I can't change that, only the office can.":                     true,
		"I've stored it as a template.":                                 false,
		"The printer has been restarted.":                               false,
		"I checked the order.":                                          false,
		"Your balance is 412.50 euros.":                                 false,
		"The order system is down at the moment.":                       false,
		"Most shops take returns within 30 days.":                       true,
		"Would you like me to save it?":                                 true,
		"I have not saved anything yet.":                                true,
		"The order stays as it is.":                                     true,
		"I couldn't reach the printer, the connection timed out twice.": false,
	} {
		turn := NewTurn(nil, tools, Words{User: "save it and restart the printer", Acting: true}, 0, nil)
		none, f := turn.NeedsNoCall(sentence)
		require.Equal(t, believed, none, "%s %+v", sentence, f)
	}
}

// TestPiecesAreWhole: sentences do not overlap, and a row of a table has its header.
func TestPiecesAreWhole(t *testing.T) {
	text := "All added.\n\n| Name | Seat |\n|---|---|\n| Ann | 4 |\n| Bo | 5 |\n\nIt hasn't been signed by the buyer yet. Bye!"
	var got []string
	for _, piece := range Pieces(text) {
		got = append(got, piece.Text())
		require.Equal(t, strings.Contains(piece.Text(), "|"), piece.Header == "| Name | Seat |", piece.Text())
	}
	require.Equal(t, []string{"All added.", "| Ann | 4 |", "| Bo | 5 |", "It hasn't been signed by the buyer yet.", "Bye!"}, got)
}

func FuzzShows(f *testing.F) {
	f.Add("Both are cancelled, 12 € each.", `{"id":"A-1","amount":12}`, `{"ok":true}`, "cancel A-1 and A-2")
	f.Add("Ü is on 3/4.", `[1,2,[3]]`, "free text 0x1", "?")
	f.Fuzz(func(t *testing.T, sentence, args, result, user string) {
		record := &tooltrack.Record{Call: tooltrack.Call{Tool: "cancel_order", Args: []byte(args)}, Effect: tooltrack.Changes}
		record.Result = tooltrack.Result{Status: tooltrack.Succeeded, Data: []byte(result)}
		turn := NewTurn(nil, nil, Words{User: user, Acting: true}, 0, []*tooltrack.Record{record})
		turn.Shows(sentence, []int{1, 2, -1})
		turn.NeedsNoCall(sentence)
		for _, piece := range Pieces(sentence) {
			_ = piece.Text()
		}
	})
}
