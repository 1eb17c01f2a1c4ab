package turnfit

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Sample is a labelled turn, read.
type Sample struct {
	fitting.Turn
	ID, Set, Group string
	Kind, Outcome  string
	Held           bool // never fitted to
	False          bool // the text claims what is not so

	unlabelled bool // recorded at large: hardly any of them is false
	ablated    bool // a recorded turn whose calls were taken away
	weight     float64
	clauses    []clause
	hash       uint64
	reading    fitting.TurnReading
	lock       sync.Mutex // of reading: parts are fitted at the same time
}

// clause is one that states something: its features but for its wording, and what that is
// read from.
type clause struct {
	features []float32
	phrases  []uint16
}

func newSample(id string, turn fitting.Turn) *Sample {
	s := &Sample{Turn: turn, ID: id, weight: 1, reading: fitting.Completion.Read(turn)}
	phrases := s.reading.Phrases()
	for i, features := range s.reading.Clauses() {
		s.clauses = append(s.clauses, clause{features, phrases[i]})
	}
	h := fnv.New64a()
	fmt.Fprint(h, id, turn.Text)
	s.hash = h.Sum64()
	return s
}

// vector are the features of the turn, given the doubts about its clauses.
func (s *Sample) vector(doubts []float64) []float32 {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.reading.Turn(doubts)
}

// Case is the turn as package completion judges it.
func (s *Sample) Case() completion.Case {
	return completion.Case{User: s.User, Previous: s.Previous, Text: s.Text, Tools: s.Tools,
		Records: s.Records, Earlier: s.Earlier}
}

// ownWeight is how much a turn of the repository counts: there are many, and few that
// were recorded.
const ownWeight = 0.6

// Own are the turns of the repository.
func Own() ([]*Sample, error) {
	domains, err := labelled.Domains()
	return samplesOf(domains), err
}

// Strangers are the turns of writers who knew no rule.
func Strangers() ([]*Sample, error) {
	domains, err := labelled.Strangers()
	return named("strangers", domains), err
}

// Languages are turns in languages without a word list.
func Languages() ([]*Sample, error) {
	domains, err := labelled.Languages()
	return named("languages", domains), err
}

// named are the turns of domains as a set of their own, without twins.
func named(set string, domains []labelled.Domain) []*Sample {
	all := slices.DeleteFunc(samplesOf(domains), func(s *Sample) bool { return s.Set == "twin" || s.Set == foreignSet })
	for _, s := range all {
		s.Set, s.Group, s.weight = set, set+"/"+s.Group, 1
	}
	return all
}

func samplesOf(domains []labelled.Domain) (all []*Sample) {
	for _, domain := range domains {
		for i := range domain.Turns {
			turn := &domain.Turns[i]
			if turn.Kind == "leak" {
				continue
			}
			read := TurnOf(&domain, turn)
			if !domain.Held {
				all = append(all, twinsOf(turn.ID, "own/"+domain.Name, read)...)
			}
			s := newSample(turn.ID, read)
			s.Set, s.Group, s.Held, s.Kind, s.Outcome = "own", "own/"+domain.Name, domain.Held, turn.Kind, turn.Outcome
			s.weight, s.False = ownWeight, turn.Ghost
			all = append(all, s)
			if !domain.Held && s.hash%2 == 0 {
				all = append(all, foreignTwin(turn.ID, "own/"+domain.Name, read, s))
			}
		}
	}
	return all
}

// TurnOf is a labelled turn as models read it.
func TurnOf(domain *labelled.Domain, turn *labelled.Turn) fitting.Turn {
	records := func(calls []labelled.Call) (made []*tooltrack.Record) {
		for _, call := range calls {
			made = append(made, recordOf(call.Tool, call.Arguments, call.Status, call.Result, domain.Tools))
		}
		return made
	}
	return fitting.Turn{User: turn.User, Previous: turn.Previous, Text: turn.Text, Tools: domain.Tools,
		Records: records(turn.Calls), Earlier: records(turn.Earlier)}
}

func recordOf(
	tool string, args json.RawMessage, status tooltrack.Status, result string, tools []tooltrack.Tool,
) *tooltrack.Record {
	called := tooltrack.Tool{Name: tool}
	for _, known := range tools {
		if known.Name == tool {
			called = known
		}
	}
	words := toolname.Tool{Name: tool, Description: called.Description, Parameters: called.Parameters}
	implied := tooltrack.Implied(toolname.Imply(lexicon.English(), words))
	called.Implied = &implied
	record := &tooltrack.Record{Call: tooltrack.Call{Tool: tool, Args: args}, Effect: called.Effect, Implied: &implied}
	if record.Result = tooltrack.ParseCall(&called, record.Call, result, nil); status != tooltrack.Succeeded {
		record.Result.Status, record.Result.Error = status, result
	}
	return record
}
