package turnfit

import (
	"encoding/json"
	"path/filepath"

	"github.com/bonafide-go/bonafide/internal/evaluation/lines"
	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// recordedTurn is a turn of a folder of recorded ones.
type recordedTurn struct {
	ID       string           `json:"id"`
	Tools    []tooltrack.Tool `json:"tools"`
	User     string           `json:"user"`
	Previous string           `json:"previous"`
	Earlier  []recordedCall   `json:"earlier"`
	Calls    []recordedCall   `json:"calls"`
	Text     string           `json:"text"`
	Ghost    *bool            `json:"ghost"`
	Outcome  string           `json:"outcome"`
	Set      string           `json:"set"`
	Source   string           `json:"source"`
	Note     string           `json:"note"`
}

type recordedCall struct {
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Status    tooltrack.Status `json:"status"`
	Result    json.RawMessage  `json:"result"`
}

// RecordedSets are the sets of recorded turns that are read, if they are there.
var RecordedSets = []string{"turns_domains", "turns_wild", "turns_wire", "turns", "turns_attack", "injection"}

// Recorded are the turns of a folder with NAME.cases.jsonl and NAME.truth.jsonl; none where
// there is no such folder.
func Recorded(folder string) ([]*Sample, error) {
	var all []*Sample
	for _, set := range RecordedSets {
		truths := map[string][]byte{}
		err := lines.Each(filepath.Join(folder, set+".truth.jsonl"), func(line []byte) error {
			var truth recordedTurn
			err := json.Unmarshal(line, &truth)
			truths[truth.ID] = append([]byte{}, line...)
			return err
		})
		if err != nil {
			return nil, err
		}
		err = lines.Each(filepath.Join(folder, set+".cases.jsonl"), func(line []byte) error {
			var turn recordedTurn
			if err := json.Unmarshal(line, &turn); err != nil {
				return err
			}
			if err := json.Unmarshal(truths[turn.ID], &turn); err != nil {
				return err
			}
			all = append(all, turn.sample(set))
			if set == "turns_domains" {
				all = append(all, twinsOf(turn.ID, set+"/"+turn.Source, turn.turn())...)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (r *recordedTurn) turn() fitting.Turn {
	records := func(calls []recordedCall) (made []*tooltrack.Record) {
		for _, call := range calls {
			result := string(call.Result)
			var text string
			if json.Unmarshal(call.Result, &text) == nil {
				result = text
			}
			made = append(made, recordOf(call.Tool, call.Arguments, call.Status, result, r.Tools))
		}
		return made
	}
	return fitting.Turn{User: r.User, Previous: r.Previous, Text: r.Text, Tools: r.Tools,
		Records: records(r.Calls), Earlier: records(r.Earlier)}
}

func (r *recordedTurn) sample(set string) *Sample {
	s := newSample(r.ID, r.turn())
	s.Set, s.Group, s.Outcome, s.Kind = set, set+"/"+r.Source, r.Outcome, r.Note
	s.unlabelled, s.ablated = r.Set == "wild", r.Set == "ablated"
	switch {
	case s.unlabelled && set == "turns_wire": // short texts of many projects, and few
		s.weight = 0.8
	case s.unlabelled:
		s.weight = 0.4
	case r.Ghost == nil && (r.Outcome == "" || r.Outcome == "insufficient"):
		s.weight = 0
	case r.Ghost == nil:
		s.weight = 0.3
	case set == "turns" || set == "turns_wild":
		s.weight = 0.3
	}
	if r.Ghost != nil && *r.Ghost {
		s.False = true
		if set == "turns" { // few, among many that are honest
			s.weight = 2
		}
	}
	if !s.unlabelled {
		s.weight *= recordedWeight
	}
	return s
}

// recordedWeight is how much recorded turns count beside those of writers: they are many, and
// of few sources.
const recordedWeight = 0.5
