package guard_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestAPickAmongSeveralIsAGuess, unless the user's words single it out.
func TestAPickAmongSeveralIsAGuess(t *testing.T) {
	cases := []struct {
		user string
		rule string
	}{
		{"delete book", "ambiguous"},
		{"delete Read book", ""},
		{`"Read book": delete book`, ""},
		{"delete " + readBook, ""},
	}
	for _, c := range cases {
		t.Run(c.user, func(t *testing.T) {
			w := newWorld()
			reply, _ := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(guardtest.Call(deletes(readBook)), guardtest.Say("Which book do you mean?")), w, ask(c.user))
			if len(reply.Records) != 1 || reply.Records[0].Ruling.Rule != c.rule || w.has(readBook) != (c.rule != "") {
				t.Errorf("%+v", reply.Records[0].Ruling)
			}
		})
	}
}

// TestADeletedEntityIsStillMeantByItsID: a repeat is answered from its record.
func TestADeletedEntityIsStillMeantByItsID(t *testing.T) {
	w := newWorld()
	model := guardtest.Script(guardtest.Call(deletes("Read book")), guardtest.Call(deletes(readBook)), guardtest.Say(lie))
	reply, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete Read book"))
	if err != nil || w.Count("delete_task") != 1 || len(deniedBy(reply)) != 0 {
		t.Errorf("ran %v, denied %v: %v", w.Calls(), deniedBy(reply), err)
	}
}

// TestAReferenceInsideAnExtraLayer: some models encode the arguments twice.
func TestAReferenceInsideAnExtraLayer(t *testing.T) {
	w := newWorld()
	call := guardtest.Tool("delete_task", `"{\"task_id\":\"Read book\"}"`)
	reply, err := guardFor(t, w, nil).Run(context.Background(), guardtest.Script(guardtest.Call(call), guardtest.Say(lie)), w, ask("delete Read book"))
	if err != nil || w.has(readBook) || string(reply.Records[0].Args) != `{"task_id":"`+readBook+`"}` || string(reply.Records[0].Ruling.Rewritten) != string(call.Args) {
		t.Errorf("%+v: %v", reply.Records, err)
	}
}

// TestTitlesInAMessage finds titles as whole words, the longest first.
func TestTitlesInAMessage(t *testing.T) {
	cases := []struct{ user, want string }{
		{"now delete Read book please", `now delete the task "Read book" please`},
		{"Read book, delete it", `the task "Read book", delete it`},
		{"now delete Read book", `now delete the task "Read book"`},
		{"now delete READ BOOK!", `now delete the task "READ BOOK"!`},
		{"now delete Proofread book please", ""},
		{"now delete Read bookcase please", ""},
		{"now delete Read book2 please", ""},
		{"now delete Read book or Return book to library", `now delete Read book or the task "Return book to library"`},
		{"now delete Return book to library or Read book", `now delete the task "Return book to library" or Read book`},
		{"now delete Tea please", `now delete the task "Tea" please`},
		{"now delete TV please", ""},
	}
	w := newWorld()
	for id, title := range map[string]string{"x1": "Tea", "x2": "TV"} {
		w.titles[id] = title
		w.order = append(w.order, id)
	}
	asked := ""
	g := guardFor(t, w, func(o *guard.Options) {
		o.Classifier = intent.Func(func(_ context.Context, request intent.Utterance) (intent.Intent, error) {
			asked = request.User
			return intent.Intent{}, nil
		})
	})
	for _, c := range cases {
		t.Run(c.user, func(t *testing.T) {
			begin(t, g, c.user)
			want := c.want
			if want == "" {
				want = c.user // only the message itself was asked about
			}
			if asked != want {
				t.Errorf("the classifier was asked about %q, want %q", asked, want)
			}
		})
	}
}

// TestAnEarlierTurnBacksARecap, whether the ledger knows it or the messages.
func TestAnEarlierTurnBacksARecap(t *testing.T) {
	const recap = "Earlier I added Buy milk for you."
	ctx := context.Background()
	added := adds("Buy milk")
	told := []guard.Message{
		{Role: guard.RoleUser, Text: "add Buy milk"}, {Role: guard.RoleAssistant, Calls: []tooltrack.Call{added}},
		{Role: guard.RoleTool, CallID: added.ID, Tool: "add_task", Text: `{"success":true,"data":{"id":"x","title":"Buy milk"}}`},
		{Role: guard.RoleAssistant, Text: "I've added Buy milk."},
	}
	cases := []struct {
		name     string
		earlier  string // the conversation of the turn before
		previous []guard.Message
		passes   bool
	}{
		{"the same conversation", "c1", nil, true},
		{"another conversation", "c2", nil, false},
		{"the messages", "", told, true},
		{"nobody", "", nil, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			g := guardFor(t, w, nil)
			now := guard.Input{User: "what did you do so far?", Owner: "ann", Previous: c.previous}
			if c.earlier != "" {
				now.Conversation = "c1"
				before := guard.Input{User: "add Buy milk", Owner: "ann", Conversation: c.earlier}
				if _, err := g.Run(ctx, guardtest.Script(guardtest.Call(added), guardtest.Say("I've added Buy milk.")), w, before); err != nil {
					t.Fatal(err)
				}
			}
			say := guardtest.Say(recap)
			if _, err := g.Run(ctx, guardtest.Script(say, say, say, say), w, now); (err == nil) != c.passes {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestSentencesAreReleasedWhole: a stop ends one only with white space behind
// it.
func TestSentencesAreReleasedWhole(t *testing.T) {
	const text = "First line\nCan you use v1.2 here? Good!\tWhy not? Yes.\nThe end."
	w := newWorld()
	g := guardFor(t, w, func(o *guard.Options) { o.ReleaseSentences = true })
	var pieces []string
	for event, err := range g.Stream(context.Background(), guardtest.Script(guardtest.Say(text)), w, ask("hello")) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Text != "" {
			pieces = append(pieces, event.Text)
		}
	}
	if got, want := strings.Join(pieces, "|"), "First line\n|Can you use v1.2 here? |Good!\t|Why not? |Yes.\n|The end."; got != want {
		t.Errorf("released %q, want %q", got, want)
	}
}

func TestTextCallsHaveIDsAndEnds(t *testing.T) {
	one, two := block(`{"name": "add_task", "arguments": {"title": "Buy milk"}}`), block(`{"name": "add_task", "arguments": {"title": "Buy tea"}}`)
	for text, want := range map[string]string{
		one + "\n" + two:    "text_1,text_2",
		one + "\r\n" + two:  "text_1,text_2",
		one + "ING\n" + two: "",
		one + two:           "",
		one + " \n" + two:   "",
	} {
		w := newWorld()
		model := guardtest.Script(guardtest.Say(text), guardtest.Say("Which title do you want?"), guardtest.Say("Which title do you want?"))
		model.Limits = guard.Capabilities{NoTools: true}
		_, _ = guardFor(t, w, nil).Run(context.Background(), model, w, ask("hello"))
		var ids []string
		for _, call := range w.Calls() {
			ids = append(ids, call.ID)
		}
		if got := strings.Join(ids, ","); got != want {
			t.Errorf("%q ran %q, want %q", text, got, want)
		}
	}
}

// own is a directory of a stranger's own, by what the documentation says.
type own struct{ tasks *resolver.Directory }

func (d own) Resolve(ctx context.Context, owner, reference string) (resolver.Match, error) {
	return d.tasks.Resolve(ctx, owner, reference)
}

func (d own) Redact(ctx context.Context, owner, text string) (string, error) {
	return d.tasks.Redact(ctx, owner, text)
}

// listing is one that can show its entries.
type listing struct{ own }

func (d listing) Entries(ctx context.Context, owner string) ([]resolver.Entry, error) {
	return d.tasks.Entries(ctx, owner)
}

var _ guard.Lister = listing{}

// TestTheSecondOneOfADirectoryOfOnesOwn: with the method of Lister a place has a
// meaning, and without it none is guessed.
func TestTheSecondOneOfADirectoryOfOnesOwn(t *testing.T) {
	for _, lists := range []bool{true, false} {
		w := newWorld()
		tasks := own{resolver.NewDirectory(w, nil)}
		g := guardFor(t, w, func(o *guard.Options) {
			o.Classifier = expecting(intent.Chat, 0)
			if o.Directories["task"] = tasks; lists {
				o.Directories["task"] = listing{tasks}
			}
		})
		input := ask("delete the second one")
		input.Previous = []guard.Message{{Role: guard.RoleAssistant, Text: "1. Call mom\n2. Read book\n3. Book list"}}
		model := guardtest.Script(guardtest.Call(deletes("the second one")), guardtest.Say("Which one do you mean?"))
		_, err := g.Run(context.Background(), model, w, input)
		require.NoError(t, err)
		require.Equal(t, !lists, w.has(readBook))
		require.True(t, w.has(callMom) && w.has(bookList))
	}
}

// TestTheSecondOne: a place in the listing that was shown last names an entity.
func TestTheSecondOne(t *testing.T) {
	listing := "1. Call mom\n2. Read book\n3. Book list"
	for reference, want := range map[string]string{"the second one": readBook, "#3": bookList, "the last one": bookList, "1": callMom} {
		w := newWorld()
		g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Chat, 0) })
		input := ask("delete " + reference)
		input.Previous = []guard.Message{{Role: guard.RoleUser, Text: "list my tasks"}, {Role: guard.RoleAssistant, Text: listing}}
		model := guardtest.Script(guardtest.Call(deletes(reference)), guardtest.Say("It is gone."), guardtest.Say(kept), guardtest.Say(kept))
		if _, err := g.Run(context.Background(), model, w, input); err != nil || w.has(want) {
			t.Errorf("%q: %v, still there: %v", reference, err, w.has(want))
		}
	}
	w := newWorld()
	model := guardtest.Script(guardtest.Call(deletes("the second one")), guardtest.Say("Which one do you mean?"))
	if _, err := guardFor(t, w, nil).Run(context.Background(), model, w, ask("delete the second one")); err != nil || len(w.Calls()) != 0 {
		t.Errorf("without a listing: %v, ran %v", err, w.Calls())
	}
}

// TestTheFirstOfTwo: entities of one title are told apart by their order in the
// listing, if it shows all of them.
func TestTheFirstOfTwo(t *testing.T) {
	for _, test := range []struct {
		listing, reference string
		first, second      bool // which of the two is deleted
	}{
		{"1. Read book\n2. Read book", "the first one", true, false},
		{"1. Read book\n2. Read book", "the second one", false, true},
		{"1. Call mom\n2. Read book", "the second one", false, false},
	} {
		w := newWorld()
		const twin = "0b8a5f0e-3a61-4b0e-9d57-2f5a8f0c1bff"
		w.titles[twin], w.order = "Read book", append(w.order, twin)
		g := guardFor(t, w, func(o *guard.Options) { o.Classifier = expecting(intent.Chat, 0) })
		input := ask("delete " + test.reference)
		input.Previous = []guard.Message{{Role: guard.RoleUser, Text: "list my tasks"}, {Role: guard.RoleAssistant, Text: test.listing}}
		_, _ = g.Run(context.Background(), guardtest.Script(guardtest.Call(deletes(test.reference)), guardtest.Say("Which one do you mean?"), guardtest.Say(kept), guardtest.Say(kept)), w, input)
		if w.has(readBook) == test.first || w.has(twin) == test.second {
			t.Errorf("%q of %q: the first is there: %v, the second: %v", test.reference, test.listing, w.has(readBook), w.has(twin))
		}
	}
}
