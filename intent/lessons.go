package intent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Logged is one turn of a host's log: what the user wrote, and what was called.
type Logged struct {
	// User is the message, Previous the assistant's text before it.
	User, Previous string
	// Called are the tools whose calls succeeded, in order.
	Called []string
	// Doubt says why the turn is no model for others, if somebody knows: what was
	// called may not be what should have been. Empty is none.
	Doubt string
}

// Proposal is an example that a log suggests. Somebody who knows the tools
// should read it before it is used: a log shows what an agent did, right or
// wrong.
type Proposal struct {
	Example
	// Turns is how many turns of the log say so.
	Turns int `json:"turns"`
	// Doubt says what speaks against it; empty for a plain one.
	Doubt string `json:"doubt,omitempty"`
	// Set names the tools that it is for, in a file that holds lines for several sets.
	Set string `json:"set,omitempty"`
}

// ReadExamples reads a file of proposals, one JSON object a line, that somebody has
// reviewed. Lines that still have a doubt are left out. In a file with lines for several
// sets of tools, the set says which are wanted.
func ReadExamples(r io.Reader, set string) ([]Example, error) {
	var examples []Example
	decoder := json.NewDecoder(r)
	for line := 1; ; line++ {
		var p Proposal
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return examples, nil
		case err != nil:
			return nil, fmt.Errorf("example %d: %w", line, err)
		case p.Set != "" && set == "":
			return nil, fmt.Errorf("example %d is for the tools of set %q: name the set that you want", line, p.Set)
		case p.Doubt == "" && (p.Set == "" || p.Set == set):
			examples = append(examples, p.Example)
		}
	}
}

// Lessons are what a log teaches.
type Lessons struct {
	// Proposals are for review, the plain ones first, the others by what speaks
	// against them.
	Proposals []Proposal
	// Without and With are how the classifier does on the plain proposals: without
	// examples, and with the other proposals as [Options.Examples]. Turns without a call
	// where something seems due are counted as idle, so that false expectations show; they
	// teach nothing.
	Without, With Score
}

// Score counts how a classifier does on messages whose tools are known.
type Score struct {
	// Messages is how many there are, Exact how many expect just the tools that
	// they should.
	Messages, Exact int
	// Idle is how many need no tool, False how many of these expect one.
	Idle, False int
	// Rightly and Wrongly are expectations that a guard would insist on by
	// default, and that were and were not called.
	Rightly, Wrongly int
}

// What speaks against a proposal. A turn that nothing was called in is a lesson
// only where the local reading agrees that nothing was due: otherwise an agent's
// own faults would be taught.
const (
	doubtReply    = "the message only makes sense as an answer"
	doubtHeld     = "the message holds back what was called"
	doubtMissing  = "nothing was called, though something seems due"
	doubtLookups  = "many look-ups: which of them was asked for?"
	doubtConflict = "the same message led to other calls, too"
	doubtLong     = "the message is long"
)

// crossFolds is how many parts a log is cut into, each measured with what the
// others teach.
const crossFolds = 5

// maxLesson is the length of a message, in bytes, beyond which it teaches little.
const maxLesson = 400

// Learn proposes examples from a log, and measures by cross-validation what they
// would gain. The options are those that the classifier is built with; their
// examples stay.
func Learn(tools []tooltrack.Tool, turns []Logged, options *Options) (*Lessons, error) {
	options = cmp.Or(options, &Options{})
	c, err := FromTools(tools, options)
	if err != nil {
		return nil, err
	}
	lessons := &Lessons{}
	known, outcomes := map[string]int{}, map[string]int{}
	for i := range turns {
		p, ok := c.propose(&turns[i])
		if !ok {
			continue
		}
		message := lexicon.Fold(p.User)
		key := message + "\x00" + strings.Join(p.Expected, "\x00")
		if at, again := known[key]; again {
			same := &lessons.Proposals[at]
			same.Turns++
			if p.Doubt == "" { // one plain turn is enough
				same.Doubt = ""
			}
			continue
		}
		known[key] = len(lessons.Proposals)
		outcomes[message]++
		lessons.Proposals = append(lessons.Proposals, p)
	}
	for i := range lessons.Proposals {
		if p := &lessons.Proposals[i]; p.Doubt == "" && outcomes[lexicon.Fold(p.User)] > 1 {
			p.Doubt = doubtConflict
		}
	}
	slices.SortStableFunc(lessons.Proposals, func(a, b Proposal) int {
		return cmp.Or(strings.Compare(a.Doubt, b.Doubt), strings.Compare(a.User, b.User))
	})
	return lessons, lessons.measure(tools, options, c)
}

// Plain are the proposals without a doubt, as examples.
func (l *Lessons) Plain() []Example {
	var examples []Example
	for _, p := range l.Proposals {
		if p.Doubt == "" {
			examples = append(examples, p.Example)
		}
	}
	return examples
}

// propose makes an example of a turn; false if it can be none.
func (c *Classifier) propose(turn *Logged) (Proposal, bool) {
	p := Proposal{Example: Example{User: strings.TrimSpace(turn.User), Expected: []string{}}, Turns: 1, Doubt: turn.Doubt}
	if p.User == "" || !utf8.ValidString(p.User) {
		return p, false
	}
	changes, reads := []string{}, []string{}
	for _, name := range turn.Called {
		at, ours := c.byName[name]
		switch {
		case !ours:
			return p, false // of other tools
		case c.profiles[at].info:
			reads = append(reads, name)
		default:
			changes = append(changes, name)
		}
	}
	p.Expected = changes
	if len(changes) == 0 { // a look-up on the way to a change was not asked for
		p.Expected = reads
	}
	slices.Sort(p.Expected)
	p.Expected = slices.Compact(p.Expected)
	if p.Doubt == "" {
		p.Doubt = c.doubt(turn, &p)
	}
	return p, true
}

// doubt is what speaks against a proposal.
func (c *Classifier) doubt(turn *Logged, p *Proposal) string {
	m := c.read(Utterance{User: turn.User, Previous: turn.Previous})
	asked := m.intent()
	switch {
	case len(p.User) > maxLesson:
		return doubtLong
	case m.hasPrevious && (m.replies || m.asked && m.words <= 3):
		return doubtReply
	case len(p.Expected) > 0 && asked.Hold != NotHeld && !c.isReadOnly(p.Expected):
		return doubtHeld
	case len(p.Expected) == 0 && asked.Due >= DefaultDue:
		return doubtMissing
	case len(p.Expected) > 2 && c.isReadOnly(p.Expected):
		return doubtLookups
	}
	return ""
}

// isReadOnly reports whether all of the tools only answer.
func (c *Classifier) isReadOnly(names []string) bool {
	return !slices.ContainsFunc(c.profiles, func(p *profile) bool { return !p.info && slices.Contains(names, p.name) })
}

// measure compares the classifier with one that was taught, part by part.
func (l *Lessons) measure(tools []tooltrack.Tool, options *Options, plain *Classifier) error {
	for fold := range crossFolds {
		taught := *options
		taught.Examples = slices.Clone(options.Examples)
		var measured []Example
		for _, p := range l.Proposals {
			switch here := lexicon.Hash(p.User)%crossFolds == uint64(fold); {
			case here && (p.Doubt == "" || p.Doubt == doubtMissing):
				measured = append(measured, p.Example)
			case !here && p.Doubt == "":
				taught.Examples = append(taught.Examples, p.Example)
			}
		}
		if len(measured) == 0 {
			continue
		}
		c, err := FromTools(tools, &taught)
		if err != nil {
			return err
		}
		for _, example := range measured {
			l.Without.add(plain, example)
			l.With.add(c, example)
		}
	}
	return nil
}

// add counts how a classifier reads one message.
func (s *Score) add(c *Classifier, example Example) {
	asked, _ := c.Classify(context.Background(), Utterance{User: example.User}) // nothing was cancelled
	s.Messages++
	exact := len(asked.Expect) == len(example.Expected)
	for _, e := range asked.Expect {
		wanted := slices.Contains(example.Expected, e.Tool)
		exact = exact && wanted
		if e.Confidence < DefaultSureChange || e.Hold != NotHeld {
			continue
		}
		if wanted {
			s.Rightly++
		} else {
			s.Wrongly++
		}
	}
	if exact {
		s.Exact++
	}
	if len(example.Expected) == 0 {
		s.Idle++
		if len(asked.Expect) > 0 {
			s.False++
		}
	}
}
