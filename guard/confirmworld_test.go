package guard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// domain is a change, and how it can be seen. {k} and {v} stand for what it is about and what
// it is set to; the state has rows of k, v and how often it was done.
type domain struct {
	change, read   string
	args           string // of the change
	key            string // the argument that names the thing; empty where all are listed
	reads, expect  string
	show           string // a row as the reader shows it; empty where it shows all of them
	deletes        bool
	user, done, no string
	values         []string
}

func worldDomains() []domain {
	return []domain{
		{change: "add_task", read: "list_tasks", args: `{"title":"{k}"}`, reads: "list_tasks()", expect: "tasks once (title = $args.title)",
			user: "add the task {k}", done: `I've added the task "{k}".`, no: `The task "{k}" could not be added.`},
		{change: "cancel_order", read: "get_order", args: `{"id":"{k}"}`, key: "id", reads: "get_order(id = $args.id)", expect: "status = cancelled",
			show: `{"id":"{k}","status":"{v}"}`, user: "cancel order {k}", done: "I've cancelled order {k}.", no: "Order {k} could not be cancelled.", values: []string{"cancelled"}},
		{change: "book_room", read: "get_booking", args: `{"room":"{k}","date":"{v}"}`, key: "room", reads: "get_booking(room = $args.room)", expect: "date = $args.date",
			show: `{"room":"{k}","date":"{v}"}`, user: "book room {k} for {v}", done: "I've booked room {k} for {v}.", no: "Room {k} could not be booked.", values: []string{"2026-12-01", "2026-12-02"}},
		{change: "send_invoice", read: "find_invoice", args: `{"customer":"{k}","amount":{v}}`, key: "customer", reads: "find_invoice(customer = $args.customer)",
			expect: "amount = $args.amount, sent = 1", show: `{"customer":"{k}","amount":{v},"sent":{n}}`, user: "send {k} an invoice over {v} EUR",
			done: "I've sent {k} an invoice over {v} EUR.", no: "The invoice to {k} could not be sent.", values: []string{"48", "120"}},
		{change: "update_phone", read: "get_contact", args: `{"contact":"{k}","phone":"{v}"}`, key: "contact", reads: "get_contact(contact = $args.contact)", expect: "phone = $args.phone",
			show: `{"contact":"{k}","phone":"{v}"}`, user: "change the phone number of {k} to {v}", done: "I've updated the phone number of {k} to {v}.", no: "The phone number of {k} could not be updated.", values: []string{"555-0100", "555-0199"}},
		{change: "delete_file", read: "stat_file", args: `{"path":"{k}"}`, key: "path", reads: "stat_file(path = $args.path)", expect: "absent", deletes: true,
			show: `{"path":"{k}","size":12}`, user: "delete the file {k}", done: "I've deleted the file {k}.", no: "The file {k} could not be deleted."},
		{change: "set_temperature", read: "get_thermostat", args: `{"room":"{k}","degrees":{v}}`, key: "room", reads: "get_thermostat(room = $args.room)", expect: "degrees = $args.degrees",
			show: `{"room":"{k}","degrees":{v}}`, user: "set the temperature in {k} to {v} degrees", done: "I've set the temperature in {k} to {v} degrees.", no: "The temperature in {k} could not be set.", values: []string{"19", "21"}},
		{change: "assign_ticket", read: "show_ticket", args: `{"ticket":"{k}","person":"{v}"}`, key: "ticket", reads: "show_ticket(ticket = $args.ticket)", expect: "assignee = $args.person",
			show: `{"ticket":"{k}","assignee":"{v}"}`, user: "assign ticket {k} to {v}", done: "I've assigned ticket {k} to {v}.", no: "Ticket {k} could not be assigned.", values: []string{"Ann", "Bob"}},
		{change: "transfer_money", read: "get_transfer", args: `{"to":"{k}","amount":{v}}`, key: "to", reads: "get_transfer(to = $args.to)",
			expect: "amount = $args.amount, times = 1", show: `{"to":"{k}","amount":{v},"times":{n}}`, user: "transfer {v} EUR to {k}",
			done: "I've transferred {v} EUR to {k}.", no: "The transfer to {k} could not be made.", values: []string{"200", "35"}},
		{change: "add_label", read: "list_labels", args: `{"label":"{k}"}`, reads: "list_labels()", expect: "tasks once (title = $args.label)",
			user: "add the label {k}", done: `I've added the label "{k}".`, no: `The label "{k}" could not be added.`},
	}
}

func (d *domain) tools(when tooltrack.ConfirmMode) []tooltrack.Tool {
	schema := func(names ...string) json.RawMessage {
		properties := map[string]any{}
		for _, name := range names {
			properties[name] = map[string]any{}
		}
		text, _ := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": names})
		return text
	}
	var args map[string]any
	_ = json.Unmarshal([]byte(d.in("{}", "k", "1")), &args)
	_ = json.Unmarshal([]byte(d.in(d.args, "k", "1")), &args)
	names := make([]string, 0, len(args))
	for name := range args {
		names = append(names, name)
	}
	read := tooltrack.Tool{Name: d.read, Effect: tooltrack.Reads}
	if d.key != "" {
		read.Parameters = schema(d.key)
	}
	return []tooltrack.Tool{read, {Name: d.change, Effect: tooltrack.Changes, Parameters: schema(names...), Confirm: &tooltrack.Confirm{
		Read: d.reads, Expect: d.expect, When: when, Delay: time.Second, Tries: 3,
	}}}
}

func (d *domain) in(text, k, v string) string {
	return strings.NewReplacer("{k}", k, "{v}", v, "{n}", "1").Replace(text)
}

// fickle is a world that saves a write, drops it, saves it late, changes it or saves it twice.
type fickle struct {
	*domain
	mu                   sync.Mutex
	k, v, fault, receipt string
	rows                 []string // the values that were saved
	reads, writes        int
}

func (w *fickle) Execute(_ context.Context, call tooltrack.Call) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if call.Tool == w.read {
		w.reads++
		return w.shown(), nil
	}
	w.writes++
	switch w.fault {
	case "dropped":
	case "late", "too late":
		wait := 1500 * time.Millisecond
		if w.fault == "too late" {
			wait = time.Minute
		}
		time.AfterFunc(wait, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.save()
		})
	case "changed":
		if w.v != "" {
			w.rows = []string{"7"}
		} else if w.key == "" {
			w.rows = []string{"another"}
		}
	case "twice":
		w.save()
		w.save()
	default:
		w.save()
	}
	return []byte(w.in(w.receipt, w.k, w.v)), nil
}

func (w *fickle) save() { w.rows = append(w.rows, w.v) }

func (w *fickle) shown() []byte {
	var tasks []string
	for _, row := range w.rows {
		title := w.k
		if row == "another" {
			title = row
		}
		tasks = append(tasks, fmt.Sprintf(`{"title":%q}`, title))
	}
	switch {
	case w.key == "":
		return []byte(`{"tasks":[` + strings.Join(tasks, ",") + `]}`)
	case w.deletes == (len(w.rows) > 0):
		return []byte(`{"error":"not found"}`)
	case w.deletes:
		return []byte(w.in(w.show, w.k, w.v))
	}
	text := strings.ReplaceAll(w.show, "{n}", fmt.Sprint(len(w.rows)))
	return []byte(w.in(text, w.k, w.rows[len(w.rows)-1]))
}

// isSo reports whether the change is there, once.
func (w *fickle) isSo() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	harmless := w.key != "" && !strings.Contains(w.show, "{n}") // the same state twice is one state
	return len(w.rows) > 0 && w.rows[0] == w.v && (len(w.rows) == 1 || harmless)
}

// credulous is a model that believes what tools say, and puts its words right when it is told.
func (w *fickle) credulous() guard.Model {
	asked := 0
	return guard.ModelFunc(func(_ context.Context, request guard.Request) (guard.Response, error) {
		asked++
		last := request.Messages[len(request.Messages)-1]
		switch {
		case asked == 1:
			return guardtest.Call(guardtest.Tool(w.change, w.in(w.args, w.k, w.v))).Response, nil
		case asked == 2 && !strings.HasPrefix(last.Text, "Error"):
			return guardtest.Say(w.in(w.done, w.k, w.v)).Response, nil
		}
		return guardtest.Say(w.in(w.no, w.k, w.v)).Response, nil
	})
}

// worldFigures are what came of many turns.
type worldFigures struct{ turns, lies, harmed, reads, models, shown int }

func runWorld(t *testing.T, when tooltrack.ConfirmMode, turns int) (sum worldFigures) {
	random := rand.New(rand.NewPCG(47, 1))
	domains := worldDomains()
	names := []string{"Milk", "A-17", "Blue", "Nadia", "report.txt", "Kitchen"}
	for n := range turns {
		d := &domains[n%len(domains)]
		w := &fickle{domain: d, k: names[random.IntN(len(names))] + fmt.Sprint(n%7), fault: []string{
			"", "", "dropped", "late", "too late", "changed", "twice"}[random.IntN(7)]}
		w.receipt = []string{`{"ok":true}`, "", `{"saved":true,"about":"{k}"}`, `{"status":"queued"}`}[random.IntN(4)]
		if len(d.values) > 0 {
			w.v = d.values[random.IntN(len(d.values))]
		}
		g, err := guard.New(d.tools(when), nil)
		require.NoError(t, err)
		began := time.Now()
		reply, err := g.Run(t.Context(), w.credulous(), w, guard.Input{User: d.in(d.user, w.k, w.v)})
		done := strings.Contains(reply.Text, d.in(d.done, w.k, w.v))
		sum.turns, sum.models, sum.reads = sum.turns+1, sum.models+reply.Execution.ModelCalls, sum.reads+w.reads
		switch {
		case done && !w.isSo():
			sum.lies++
			if when == tooltrack.AlwaysConfirm {
				t.Errorf("%s %q, %s: %q was shown after %v", d.change, w.fault, w.receipt, reply.Text, time.Since(began))
			}
		case done:
			sum.shown++
		case w.isSo():
			sum.harmed++
			if when == tooltrack.AlwaysConfirm {
				t.Errorf("%s %q, %s: shown was %q (%v)", d.change, w.fault, w.receipt, reply.Text, err)
			}
		}
		require.Equal(t, 1, w.writes, "a change ran twice")
		time.Sleep(2 * time.Minute) // what is late has come
	}
	return sum
}

// A world that drops, delays, changes and duplicates writes, a thousand turns over ten sets of
// tools: read back always, no false "done" is shown, and none of the honest ones is harmed.
func TestNothingIsToldAsDoneThatIsNotThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		always := runWorld(t, tooltrack.AlwaysConfirm, 1000)
		never := runWorld(t, tooltrack.NeverConfirm, 200)
		doubt := runWorld(t, tooltrack.WhenInDoubt, 200)
		for name, sum := range map[string]worldFigures{"always": always, "when in doubt": doubt, "never": never} {
			t.Logf("%-13s %4d turns: %3d told as done, %3d of them falsely, %d honest ones harmed; %.2f reads and %.2f model calls a turn",
				name, sum.turns, sum.shown+sum.lies, sum.lies, sum.harmed, float64(sum.reads)/float64(sum.turns), float64(sum.models)/float64(sum.turns))
		}
		require.Zero(t, always.lies)
		require.Zero(t, always.harmed)
		require.Greater(t, always.shown, 300)
		require.Greater(t, never.lies, 20, "the world lies, or nothing is shown here")
	})
}

// mortal is a process that dies: at one of its writes, before or after it, or while its tool
// runs. Nothing that it does afterwards reaches the world.
type mortal struct {
	tooltrack.Store
	shop         *shop
	writes, dies int
	before, dead bool
}

var errDead = errors.New("the process is dead")

func (m *mortal) live(write func() error) error {
	if m.writes++; m.dead || m.writes == m.dies && m.before {
		m.dead = true
		return errDead
	}
	err := write()
	if m.dead = m.writes == m.dies; m.dead {
		return errDead
	}
	return err
}

func (m *mortal) Begin(ctx context.Context, record *tooltrack.Record, rerun bool) (begun tooltrack.Begun, err error) {
	err = m.live(func() error { begun, err = m.Store.Begin(ctx, record, rerun); return err })
	return begun, err
}

func (m *mortal) Finish(ctx context.Context, record *tooltrack.Record) (stored *tooltrack.Record, err error) {
	err = m.live(func() error { stored, err = m.Store.Finish(ctx, record); return err })
	return stored, err
}

func (m *mortal) Execute(ctx context.Context, call tooltrack.Call) (body []byte, err error) {
	err = m.live(func() error { body, err = m.shop.Execute(ctx, call); return err })
	return body, err
}

// However early or late a process dies, the next one finds out by a read-back what became of
// the change: no fate is left unknown, and nothing runs twice. It dies at each step that a turn
// has, before and after it.
func TestAfterACrashTheWorldIsAsked(t *testing.T) {
	for _, by := range []string{"a tool", "a function"} {
		for _, when := range []tooltrack.ConfirmMode{tooltrack.WhenInDoubt, tooltrack.AlwaysConfirm} {
			steps := crashAndAsk(t, by == "a function", when, 0, false).writes
			require.GreaterOrEqual(t, steps, 3, "begun, run, finished")
			for dies := 1; dies <= steps; dies++ {
				for _, before := range []bool{true, false} {
					t.Run(fmt.Sprintf("by %s, %s, step %d of %d, before %v", by, when, dies, steps, before), func(t *testing.T) {
						require.True(t, crashAndAsk(t, by == "a function", when, dies, before).dead, "it lived on")
					})
				}
			}
		}
	}
}

// What was done and shows late is not done again: the next process looks before the model is asked, and
// once more before the call that would repeat it.
func TestAfterACrashALateWorldIsAskedAgain(t *testing.T) {
	s := newShop(goodReceipt)
	s.look = func(id string) ([]byte, error) {
		if s.reads == 1 {
			return []byte(`{"id":"A-17","status":"open"}`), nil
		}
		return fmt.Appendf(nil, `{"id":%q,"status":%q}`, id, s.status[id]), nil
	}
	memory := tooltrack.NewMemory(nil)
	dies := &mortal{Store: memory, shop: s, dies: 3, before: true} // its tool has run, and nothing says so
	_, err := runShop(t, dies, dies, cancelSeen(tooltrack.WhenInDoubt))
	require.Error(t, err)
	reply, err := runShop(t, memory, s, cancelSeen(tooltrack.WhenInDoubt))
	require.NoError(t, err, reply.Account)
	require.Equal(t, cancelled, reply.Text)
	require.Equal(t, 2, s.reads)
	require.Equal(t, 1, s.writes, "it ran twice")
}

// runShop cancels an order in a named turn, with a ledger of its own.
func runShop(t *testing.T, store tooltrack.Store, executor guard.Executor, confirm *tooltrack.Confirm) (*guard.Reply, error) {
	ledger := tooltrack.NewLedger(store, &tooltrack.LedgerOptions{ReconcileAfter: time.Nanosecond})
	g, err := guard.New(shopTools(confirm), &guard.Options{Ledger: ledger})
	require.NoError(t, err)
	input := guard.Input{User: "cancel order A-17", Owner: "ann", Conversation: "c", Turn: "m1"}
	return g.Run(t.Context(), guardtest.Script(guardtest.Call(cancels("A-17")), guardtest.Say(cancelled)), executor, input)
}

// crashAndAsk runs a turn in a process that dies at a step, and again in one that lives; step 0
// is none. It returns the first.
func crashAndAsk(t *testing.T, byFunction bool, when tooltrack.ConfirmMode, dies int, before bool) *mortal {
	s := newShop(goodReceipt)
	confirm := cancelSeen(when)
	if byFunction {
		confirm.Read, confirm.By = "", func(ctx context.Context, change *tooltrack.Record) (json.RawMessage, error) {
			return s.Execute(ctx, tooltrack.Call{Tool: "get_order", Args: change.Args})
		}
	}
	memory := tooltrack.NewMemory(nil)
	first := &mortal{Store: memory, shop: s, dies: dies, before: before}
	_, _ = runShop(t, first, first, confirm)
	reply, err := runShop(t, memory, s, confirm)
	require.NoError(t, err, reply.Account)
	require.Equal(t, cancelled, reply.Text)
	require.Equal(t, 1, s.writes, "it ran twice, or never")
	records, err := memory.Records(t.Context(), tooltrack.Query{Scope: tooltrack.Scope{Owner: "ann"}})
	require.NoError(t, err)
	for _, record := range records {
		require.NotEqual(t, tooltrack.Unknown, record.Result.Status, "%+v", record)
	}
	return first
}

// What an earlier turn left unknown is settled before the model is asked about anything.
func TestWhatIsUnknownIsReadBackBeforeTheModelIsAsked(t *testing.T) {
	s := newShop(goodReceipt)
	s.status["A-17"] = "cancelled"
	memory := tooltrack.NewMemory(nil)
	ledger := tooltrack.NewLedger(memory, nil)
	turn, err := ledger.Open(tooltrack.Scope{Owner: "ann", Conversation: "c", Turn: "m1"})
	require.NoError(t, err)
	tools := shopTools(cancelSeen(tooltrack.WhenInDoubt))
	_, err = turn.Begin(t.Context(), tools[1], cancels("A-17"), nil)
	require.NoError(t, err)
	g, err := guard.New(tools, &guard.Options{Ledger: ledger})
	require.NoError(t, err)
	model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
		require.Equal(t, 1, s.reads)
		return guardtest.Say("Yes, order A-17 was cancelled.").Response, nil
	})
	reply, err := g.Run(t.Context(), model, s, guard.Input{User: "was order A-17 cancelled?", Owner: "ann", Conversation: "c", Turn: "m2"})
	require.NoError(t, err, reply.Account)
	require.Equal(t, "Yes, order A-17 was cancelled.", reply.Text)
	records, err := turn.Records(t.Context())
	require.NoError(t, err)
	require.Equal(t, tooltrack.Confirmed, records[0].Sight())
	require.Equal(t, tooltrack.Succeeded, records[0].Result.Status)
}
