package requestfit

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/internal/evaluation/lines"
	"github.com/bonafide-go/bonafide/internal/evaluation/requests"
	"github.com/bonafide-go/bonafide/internal/fitting"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Message is a labelled message with what was read of it.
type Message struct {
	ID, Set, Source string
	User, Previous  string
	Tools           []tooltrack.Tool
	Wanted, Maybe   map[string]bool // tools that it asks for, and arguable ones
	Held            bool            // never fitted to

	Answer intent.Intent // of the whole classifier, by models that have not seen the source
	Hold   intent.Hold

	weight    float32
	dueWeight float32 // makes messages that are due and others equally common in each set
	seen
}

// seen is what models see of a message.
type seen struct {
	tools  fitting.ToolsReading
	words  []string // what of the message has vectors
	read   fitting.MessageReading
	ranked [][]float32 // the evidence and how the tools stand
	top    []float32   // the evidence of the tool that stands first
}

// loader collects messages; sets with the same tools share what is read of them.
type loader struct {
	all      []*Message
	keep     func(*Message) bool // nil for all of them
	readings map[string]fitting.ToolsReading
}

// Load reads our own requests, the messages of our labelled turns, and those of a folder
// with intent_NAME.cases.jsonl and intent_NAME.truth.jsonl, if there is one. Messages are read
// with the models that are in use: [Fitting.begin] has put none in their place.
func Load(folder string) ([]*Message, error) { return load(folder, nil) }

// load reads those messages that are kept.
func load(folder string, keep func(*Message) bool) ([]*Message, error) {
	l := &loader{keep: keep, readings: map[string]fitting.ToolsReading{}}
	paths, err := filepath.Glob(filepath.Join(folder, "intent_*.cases.jsonl"))
	if err != nil || folder == "" {
		paths = nil
	}
	for _, path := range paths {
		if err := l.loadRecorded(path); err != nil {
			return nil, err
		}
	}
	if err := l.loadRequests(); err != nil {
		return nil, err
	}
	if err := l.loadTurns(); err != nil {
		return nil, err
	}
	for _, m := range l.all {
		m.weight = shares[m.Set]
	}
	balanceDue(l.all)
	return l.all, nil
}

func (l *loader) add(m *Message, expected, maybe []string) error {
	if l.keep != nil && !l.keep(m) {
		return nil
	}
	m.Wanted, m.Maybe = map[string]bool{}, map[string]bool{}
	for _, name := range expected {
		m.Wanted[name] = true
	}
	for _, name := range maybe {
		if !m.Wanted[name] {
			m.Maybe[name] = true
		}
	}
	key, err := json.Marshal(m.Tools)
	if err != nil {
		return err
	}
	if l.readings[string(key)] == nil {
		reading, err := fitting.Intent.Tools(m.Tools)
		if err != nil {
			return fmt.Errorf("%s: %w", m.ID, err)
		}
		l.readings[string(key)] = reading
	}
	m.tools = l.readings[string(key)]
	m.words = m.tools.Words(m.User, m.Previous)
	l.all = append(l.all, m)
	return nil
}

func (l *loader) loadRecorded(path string) error {
	type truth struct {
		ID, Source      string
		Expected, Maybe []string
	}
	truths := map[string]truth{}
	err := lines.Each(strings.Replace(path, ".cases.", ".truth.", 1), func(line []byte) error {
		var t truth
		err := json.Unmarshal(line, &t)
		truths[t.ID] = t
		return err
	})
	if err != nil {
		return err
	}
	set := strings.TrimSuffix(filepath.Base(path), ".cases.jsonl")
	return lines.Each(path, func(line []byte) error {
		var c struct {
			ID, User, Previous string
			Tools              []tooltrack.Tool
		}
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		t := truths[c.ID]
		m := &Message{ID: c.ID, Set: set, Source: t.Source, User: c.User, Previous: c.Previous, Tools: c.Tools}
		err := l.add(m, t.Expected, t.Maybe)
		for variant := 0; set == "intent_crud" && variant < 2 && err == nil; variant++ {
			tools, expected := reworded(c.ID, c.User, t.Expected, variant)
			m := &Message{ID: c.ID, Set: "crud_reworded", Source: t.Source, User: c.User, Tools: tools}
			err = l.add(m, expected, nil)
		}
		return err
	})
}

func (l *loader) loadRequests() error {
	sets, err := requests.Sets()
	if err != nil {
		return err
	}
	for _, own := range sets {
		set := "own_" + own.File
		if own.Held {
			set = "own_held"
		}
		for i, r := range own.Requests {
			m := &Message{ID: fmt.Sprintf("%s/%d", own.ID(), i), Set: set, Source: own.ID(), Held: own.Held,
				User: r.User, Previous: r.Previous, Tools: own.Tools}
			if err := l.add(m, r.Expected, r.Maybe); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *loader) loadTurns() error {
	own, err := labelled.Domains()
	if err != nil {
		return err
	}
	strangers, err := labelled.Strangers()
	if err != nil {
		return err
	}
	for _, d := range slices.Concat(own, strangers) {
		set := "turns"
		if d.Held {
			set = "turns_held"
		}
		tools := slices.Clone(d.Tools)
		for i := range tools {
			tools[i].Effect = tooltrack.UnknownEffect // as messages alone have it
		}
		for _, turn := range d.Turns {
			m := &Message{ID: turn.ID, Set: set, Source: d.Name, Held: d.Held,
				User: turn.User, Previous: turn.Previous, Tools: tools}
			if err := l.add(m, turn.Expected, turn.Maybe); err != nil {
				return err
			}
		}
	}
	return nil
}

// balanceDue gives messages that are due three quarters of the weight in each set, whatever
// their number: how common they are differs from host to host, and a threshold is to mean
// the same everywhere.
func balanceDue(all []*Message) {
	count := map[string][2]float32{}
	for _, m := range all {
		n := count[m.Set]
		n[int(is(m.isDue()))]++
		count[m.Set] = n
	}
	for _, m := range all {
		n := count[m.Set]
		if m.dueWeight = 0.25 * (n[0] + n[1]) / max(n[0], 1); m.isDue() {
			m.dueWeight = 0.75 * (n[0] + n[1]) / max(n[1], 1)
		}
	}
}

// shares is how much a message of each set counts: what people ask of everyday tools counts
// most, since there is least of it.
var shares = map[string]float32{
	"intent_bfcl": 6, "intent_crud": 4, "crud_reworded": 2, "intent_wild": 2.2, "intent_multilingual": 1,
	"intent_domains": 6, "turns": 2.5, "turns_held": 0,
	"own_everyday": 1, "own_technical": 1, "own_hard-everyday": 0.7, "own_hard-technical": 0.7,
	"own_domains": 2, "own_operations": 2, "own_siblings": 1.5, "own_manner": 2, "own_dialogue": 2, "own_absent": 1.5,
	"own_plain": 2, "own_held": 0, "own_saying-home": 0.8, "own_saying-office": 0.8, "own_saying-service": 0.8,
	"own_saying-systems": 0.8, "own_saying-trades": 0.8,
	"own_lists": 1, "own_functions": 1.2, "own_conversation": 1, "own_desks": 1, "own_catalogue": 1.2,
	"own_services": 1.2, "own_toolkits": 1.2, "own_counters": 1, "own_skills": 1, "own_exchanges": 1,
}

// dueShares is how much more some sets count for whether anything is due: in dialogues and
// with strangers' sets of tools much is said that no tool has to do.
var dueShares = map[string]float32{
	"intent_wild": 4, "own_dialogue": 3, "own_absent": 2, "own_conversation": 2, "own_catalogue": 2,
	"own_services": 2, "own_exchanges": 2,
}

func (m *Message) isDue() bool { return len(m.Wanted) > 0 }

// isArguable reports whether nothing is surely asked for, and something may be.
func (m *Message) isArguable() bool { return len(m.Wanted) == 0 && len(m.Maybe) > 0 }

// fold cuts by source, so that no source is fitted to and measured.
func (m *Message) fold(n int) int {
	h := fnv.New32a()
	switch m.Set {
	case "intent_crud", "crud_reworded", "intent_bfcl", "intent_multilingual": // closed sets of the same sources
		fmt.Fprint(h, m.ID)
	default:
		fmt.Fprint(h, m.Source, "x")
	}
	return int(h.Sum32()>>4) % n
}

// origin is what a word must come from several of, to be fitted to.
func (m *Message) origin() string {
	if m.Set == "intent_crud" || m.Set == "intent_bfcl" {
		return m.Set
	}
	return m.Set + m.Source
}

func is(so bool) float32 {
	if so {
		return 1
	}
	return 0
}
