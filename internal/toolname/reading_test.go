package toolname

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

func read(name, description string) Reading {
	return Read(lexicon.English(), Tool{Name: name, Description: description})
}

var effects = [...]string{Unknown: "unknown", Reads: "reads", Changes: "changes", Verifies: "verifies"}

// summary is a reading in one line, as testdata/names.txt has it.
func summary(r Reading) string {
	dash := func(s string) string {
		if s == "" {
			return "-"
		}
		return s
	}
	var nouns []string
	for _, noun := range r.Nouns {
		nouns = append(nouns, noun.Text)
	}
	line := strings.Join([]string{dash(r.Verb.Text), dash(r.Families.String()), effects[r.Effect], dash(strings.Join(nouns, ","))}, " ")
	if r.HandsOver {
		line += " handover"
	}
	return line
}

func TestNames(t *testing.T) {
	text, err := os.ReadFile("testdata/names.txt")
	require.NoError(t, err)
	n := 0
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		head, description, _ := strings.Cut(line, " | ")
		name, want, ok := strings.Cut(head, ": ")
		require.True(t, ok, line)
		if got := summary(read(name, description)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		n++
	}
	require.GreaterOrEqual(t, n, 400, "the table has lost names")
}

// TestStyles reads one tool in every style that tools are named in.
func TestStyles(t *testing.T) {
	verbs := []string{"cancel", "delete", "create", "update", "send", "search", "list", "get", "approve", "assign", "archive", "restore"}
	nouns := []string{"order", "note", "email", "ticket", "invoice", "shipment", "comment", "report", "message", "document", "sprocket"}
	title := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	for _, verb := range verbs {
		for _, noun := range nouns {
			for _, name := range []string{
				verb + "_" + noun, noun + "_" + verb, verb + title(noun), title(verb) + title(noun), noun + title(verb), noun + "s." + verb,
				"srv__" + verb + "_" + noun, "srv__" + noun + "_" + verb, verb + "-" + noun, noun + "-" + verb, strings.ToUpper(verb + "_" + noun),
				verb + "_" + noun + "_v2", "acme_" + noun + "_" + verb, verb + "_" + noun + "s",
			} {
				r := read(name, "")
				require.Equal(t, verb, r.Verb.Text, name)
				require.Equal(t, noun, Singular(r.Nouns[len(r.Nouns)-1].Text), name)
			}
		}
	}
}

func TestTheDescriptionDecidesWhatANameLeavesOpen(t *testing.T) {
	for _, tc := range []struct{ name, description, want string }{
		{"order", "Places an order for parts.", "order order changes -"},
		{"order", "Returns the details of an order.", "- read reads order"},
		{"report_check", "Checks a report for errors.", "check verify reads report"},
		{"books", "Search the library's catalogue.", "- search reads books"},
		{"plants_water", "Waters the plants of a room.", "water - unknown plants"},
		{"subscription", "Pauses or resumes a subscription.", "- stop changes subscription"},
		{"do_it", "This function deletes a record.", "do delete changes it"},
		{"execute", "Runs the test suite.", "execute run unknown -"},
	} {
		require.Equal(t, tc.want, summary(read(tc.name, tc.description)), "%s: %s", tc.name, tc.description)
	}
}

func TestASchemaMayListTheActs(t *testing.T) {
	r := Read(lexicon.English(), Tool{Name: "vm", Parameters: json.RawMessage(`{"properties":{"action":{"enum":["start","stop","pause"]},"id":{"type":"string"}}}`)})
	require.Equal(t, "start+stop", r.Families.String())
	require.Equal(t, Changes, r.Effect)
	require.Equal(t, Unknown, Read(lexicon.English(), Tool{Name: "vm", Parameters: json.RawMessage(`{"properties":[`)}).Effect)
}

func TestOppositesAreMutual(t *testing.T) {
	order, cancel := read("place_order", ""), read("order_cancel", "")
	require.True(t, order.Opposites.Overlaps(cancel.Families))
	require.True(t, cancel.Opposites.Overlaps(order.Families))
	require.False(t, cancel.Opposites.Overlaps(cancel.Families))
	for _, pair := range [][2]string{{"door_lock", "unlock_door"}, {"enable_mfa", "mfa_disable"}, {"ticket_open", "ticket_close"}, {"approve_leave", "leave_reject"}} {
		a, b := read(pair[0], ""), read(pair[1], "")
		require.True(t, a.Opposites.Overlaps(b.Families) && b.Opposites.Overlaps(a.Families), "%v", pair)
	}
}

func TestSameVerbAndObject(t *testing.T) {
	for _, tc := range []struct {
		a, b         string
		verb, object bool
	}{
		{"modify_order_items", "modify_order_address", true, true},
		{"order_cancel", "cancel_orders", true, true},
		{"list_tasks", "get_task", true, true},
		{"write_file", "edit_file", true, true},
		{"delete_task", "create_task", false, true},
		{"delete_task", "delete_note", true, false},
		{"update_file", "create_file", false, true},
	} {
		a, b := read(tc.a, ""), read(tc.b, "")
		require.Equal(t, tc.verb, a.SameVerb(&b), "%s, %s", tc.a, tc.b)
		require.Equal(t, tc.object, a.SameObject(&b), "%s, %s", tc.a, tc.b)
	}
}

func TestMoneyIsNotHandedToPeople(t *testing.T) {
	for name, description := range map[string]string{
		"transfer_funds": "Moves money between accounts.", "call_contact": "Calls a person of the address book.", "email_agent": "Sends mail.",
		"connect_wifi": "Connects to a network.", "get_staff": "Lists the staff.", "escalate_ticket": "Raises the priority of a ticket.",
	} {
		r := read(name, description)
		require.False(t, r.HandsOver, name)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("cancel_order", "Cancels an order.", `{"properties":{"x":{"enum":["a"]}}}`)
	f.Add("__", "", "")
	f.Add("löschen.Größe", "To\xff", "[")
	f.Fuzz(func(t *testing.T, name, description, schema string) {
		r := Read(lexicon.English(), Tool{Name: name, Description: description, Parameters: json.RawMessage(schema)})
		if r.Families.Overlaps(r.Opposites) {
			t.Errorf("%q does and undoes the same", name)
		}
		_ = r.SameVerb(&r)
	})
}

func BenchmarkRead(b *testing.B) {
	tool := Tool{Name: "acme_crm_contact_upsert", Description: "Creates or updates a contact of the customer database by its address."}
	for b.Loop() {
		Read(lexicon.English(), tool)
	}
}
