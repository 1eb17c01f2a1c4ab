package turns

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// FuzzTurn makes whole turns, one for each number, with a piece of the fuzzer's own in them,
// and asks of each what must hold of all. The turn of number 0 is that piece alone.
//
//	go test -run '^$' -fuzz FuzzTurn -fuzztime 1000000x ./internal/evaluation/stage/turns
func FuzzTurn(f *testing.F) {
	for number := range uint64(64) {
		f.Add("", number)
	}
	f.Fuzz(func(t *testing.T, own string, number uint64) {
		if len(own) > 1<<10 {
			t.Skip("growth is measured elsewhere")
		}
		check(t, own, number)
	})
}

// TestTurns makes turns by the number, with bytes of their own. More of them:
//
//	BONAFIDE_TEST_TURNS=1000000 go test -timeout 0 -run TestTurns ./internal/evaluation/stage/turns
func TestTurns(t *testing.T) {
	turns := uint64(1000)
	if more := os.Getenv("BONAFIDE_TEST_TURNS"); more != "" {
		var err error
		if turns, err = strconv.ParseUint(more, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	for number := range turns {
		own := make([]byte, number%24)
		for i := range own {
			own[i] = byte(rand.New(rand.NewPCG(number, uint64(i))).Uint32())
		}
		if check(t, string(own), number); t.Failed() {
			t.Fatalf("turn %d with %q", number, own)
		}
	}
}

// check makes a turn and asks of it what must hold of all.
func check(t *testing.T, own string, number uint64) {
	m := maker{rand.New(rand.NewPCG(number, 1)), own}
	turn := m.recorded(number == 0)
	checkRecorded(t, m, turn)
	checkLiving(t, m, turn)
}

// judging serves the turns that are over: nothing is stored of them.
var judging = sync.OnceValues(func() (*guard.Guard, error) { return guard.New(offered, nil) })

// checkRecorded: a turn that is over is judged, and the same each time; a proof that holds shows
// the draft as it was written.
func checkRecorded(t *testing.T, m maker, turn guard.Recorded) {
	g, err := judging()
	if err != nil {
		t.Fatal(err)
	}
	judged, err := g.Judge(t.Context(), turn)
	if err != nil {
		t.Fatalf("%+v: %v", turn, errors.Unwrap(err))
	}
	if again, _ := g.Judge(t.Context(), turn); !reflect.DeepEqual(judged, again) {
		t.Errorf("%+v is judged as %+v, and then as %+v", turn, judged, again)
	}
	question, err := g.Question(t.Context(), turn)
	if err != nil {
		t.Fatalf("%+v: %v", turn, errors.Unwrap(err))
	}
	calls := len(turn.Earlier) + len(turn.Records)
	written := m.answer(namesOf(question.Letters), calls)
	answer, err := proof.Read(written, question.Letters, question.List)
	if err != nil {
		return
	}
	shown, faults := question.Check(t.Context(), answer)
	for _, fault := range faults {
		if fault.Rule == "unjudged" {
			t.Fatalf("%+v, answered by %s: %s", turn, written, fault.Reason)
		}
	}
	if len(faults) == 0 && isPlain(answer, question.Letters) && shown != turn.Text {
		t.Errorf("%q is shown as %q after %s", turn.Text, shown, written)
	}
}

func namesOf(letters []proof.Letter) (names []string) {
	for _, letter := range letters {
		names = append(names, letter.Name)
	}
	return names
}

// isPlain reports whether an answer changes nothing: no message of its own, and nothing that is
// not done.
func isPlain(answer proof.Answer, letters []proof.Letter) bool {
	open := func(letter proof.Letter) bool { return letter.Due || answer.Letters[letter.Name].NotDone }
	return answer.Message == nil && len(answer.Undone) == 0 && !slices.ContainsFunc(letters, open)
}

// ways are the guards that a living turn may meet.
var ways = []guard.Options{
	{}, {Observe: true}, {Proof: guard.Always}, {Lenient: true}, {Proof: guard.Never}, {ReleaseSentences: true, DeliverAccount: true},
}

// checkLiving plays the turn to a guard, as a whole loop, a stream or behind its own wrapper.
func checkLiving(t *testing.T, m maker, turn guard.Recorded) {
	options := ways[m.IntN(len(ways))]
	g, err := guard.New(offered, &options)
	if err != nil {
		t.Fatal(err)
	}
	play := &player{maker: m, turn: turn}
	input := guard.Input{User: turn.User, Owner: "ann", Previous: []guard.Message{{Role: guard.RoleAssistant, Text: turn.Previous}}}
	var reply *guard.Reply
	switch m.IntN(3) {
	case 0:
		reply, err = g.Run(t.Context(), play, play, input)
	case 1:
		for event, fault := range g.Stream(t.Context(), play, play, input) {
			reply, err = event.Reply, fault
		}
	default:
		messages := append(input.Previous, guard.Message{Role: guard.RoleUser, Text: turn.User})
		_, err = g.Wrap(play).Generate(t.Context(), guard.Request{Messages: messages, Tools: offered})
	}
	if errors.Is(err, guard.ErrUnjudged) || len(g.Counters().Panics) > 0 {
		t.Fatalf("%+v with %+v: %v %v", turn, options, errors.Unwrap(err), g.Counters().Panics)
	}
	if options.Observe && err == nil && reply != nil && reply.Text != play.last {
		t.Errorf("a guard that observes shows %q for %q", reply.Text, play.last)
	}
}

// player is the model and the tools of a living turn.
type player struct {
	maker
	turn guard.Recorded
	said int
	last string
}

// Generate makes the calls of the turn, then says its text, and answers requests for proof.
func (p *player) Generate(_ context.Context, request guard.Request) (guard.Response, error) {
	const most = 24
	if p.said++; p.said > most {
		return guard.Response{}, errors.New("the model has said enough")
	}
	message := guard.Message{Role: guard.RoleAssistant}
	last := request.Messages[len(request.Messages)-1]
	letters := proof.Asked(last.Text)
	switch {
	case len(letters) > 0:
		message.Text = p.answer(namesOf(letters), len(p.turn.Records))
	case p.said == 1 && len(p.turn.Records) > 0:
		for _, record := range p.turn.Records {
			message.Calls = append(message.Calls, record.Call)
		}
		message.Text = p.text(2)
	case len(request.Tools) > len(offered) && p.IntN(4) > 0:
		message.Calls = []tooltrack.Call{{Tool: request.Tools[len(offered)].Name, Args: p.report()}}
	case p.said > 3 && p.IntN(2) == 0:
		message.Text = p.text(8)
	default:
		message.Text = p.turn.Text
	}
	p.last = message.Text
	return guard.Response{Message: message, Stop: guard.Stop(p.IntN(3))}, nil
}

// Execute answers with the result of the first recorded call of the tool.
func (p *player) Execute(_ context.Context, call tooltrack.Call) ([]byte, error) {
	for _, record := range p.turn.Records {
		if record.Tool != call.Tool {
			continue
		}
		if record.Result.Error != "" {
			return nil, errors.New(record.Result.Error)
		}
		return record.Result.Data, nil
	}
	return []byte(`{"ok":true}`), nil
}
