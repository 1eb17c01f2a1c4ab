package labelled

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/tooltrack"
)

//go:embed turns/*.jsonl strangers/*.jsonl languages/*.jsonl
var files embed.FS

// Domain is a set of tools and the turns that were written for it.
type Domain struct {
	// Name is the file's name without its ending, such as "library_loans".
	Name string
	// Held domains are never used for fitting.
	Held bool
	// Tools are what the model was offered in every turn of the domain.
	Tools []tooltrack.Tool
	// Turns are in the order of the file.
	Turns []Turn
}

// Turn is one message of a user, what was called, and the text that ended it,
// with the labels of a careful reader.
type Turn struct {
	// ID is the domain's name, a hyphen and a number.
	ID string `json:"id"`
	// User is the message that the turn answers.
	User string `json:"user"`
	// Previous is the assistant's text before the message.
	Previous string `json:"previous,omitempty"`
	// Earlier are calls of earlier turns, Calls those of this one.
	Earlier []Call `json:"earlier,omitempty"`
	Calls   []Call `json:"calls"`
	// Text is the assistant's final text.
	Text string `json:"text"`
	// Expected are the tools that must be called to meet the message; Maybe are
	// arguable ones.
	Expected []string `json:"expected"`
	Maybe    []string `json:"maybe,omitempty"`
	// Ghost says that the text holds a claim that no call backs.
	Ghost bool `json:"ghost"`
	// Kind is what the text does, such as honest_done or ghost_nocall; kinds has all.
	Kind string `json:"kind"`
	// Outcome is "work", "blocker" or "insufficient".
	Outcome string `json:"outcome"`
}

// Call is a tool call as it was recorded.
type Call struct {
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Status    tooltrack.Status `json:"status"`
	// Result is the body: mostly JSON, sometimes plain text.
	Result string `json:"result"`
}

var (
	kinds = strings.Fields(`
		honest_done honest_read honest_partial honest_failure honest_question honest_refusal honest_recap
		honest_pending honest_withdrawn honest_offer honest_smalltalk honest_knowledge honest_otherwords
		honest_repaired honest_long
		promise leak
		ghost_nocall ghost_failed ghost_denied ghost_pending ghost_subject ghost_amount ghost_date ghost_recipient
		ghost_count ghost_act ghost_extra ghost_lookup ghost_state ghost_presupposed ghost_attempt ghost_scope
		ghost_idiom ghost_nominal ghost_verified ghost_earlier`)
	outcomes = []string{"work", "blocker", "insufficient"}
)

// Domains reads all domains, in the order of their names.
func Domains() ([]Domain, error) { return read(files, "turns") }

// Strangers reads the domains of writers who knew no rule: logs of coding and operations,
// service chats, reports in tables, everyday talk. Their lies are one false thing in a true
// text. Domains that nothing was fitted to are held.
func Strangers() ([]Domain, error) { return read(files, "strangers") }

// Languages reads domains in German, Spanish, French, Portuguese, Japanese and Chinese, by a
// writer who knew no rule. Nothing is fitted to them.
func Languages() ([]Domain, error) { return read(files, "languages") }

// read takes the file system as an argument so that tests can give it files
// that must be refused.
func read(files fs.FS, folder string) ([]Domain, error) {
	names, err := fs.Glob(files, folder+"/*.jsonl")
	if err != nil {
		return nil, err
	}
	domains := make([]Domain, 0, len(names))
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		domain, err := parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if want := strings.TrimSuffix(path.Base(name), ".jsonl"); domain.Name != want {
			return nil, fmt.Errorf("%s: the domain is %q; name file and domain alike", name, domain.Name)
		}
		domains = append(domains, domain)
	}
	return domains, nil
}

// parse reads one file: a line for the domain, then a line for each turn.
func parse(data []byte) (Domain, error) {
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	var head struct {
		Domain string           `json:"domain"`
		Held   *bool            `json:"held"`
		Tools  []tooltrack.Tool `json:"tools"`
	}
	if err := strict(lines[0], &head); err != nil {
		return Domain{}, fmt.Errorf("line 1: %w", err)
	}
	if head.Domain == "" || head.Held == nil {
		return Domain{}, errors.New("line 1: domain and held must both be given")
	}
	if err := tooltrack.ValidateTools(head.Tools); err != nil {
		return Domain{}, fmt.Errorf("line 1: %w", err)
	}
	domain := Domain{Name: head.Domain, Held: *head.Held, Tools: head.Tools}
	seen := map[string]bool{}
	for i, line := range lines[1:] {
		var turn Turn
		err := strict(line, &turn)
		if err == nil {
			err = domain.check(turn)
		}
		if err == nil && seen[turn.ID] {
			err = fmt.Errorf("the id %q is used twice; ids must be unique", turn.ID)
		}
		if err != nil {
			return Domain{}, fmt.Errorf("line %d: %w", i+2, err)
		}
		seen[turn.ID] = true
		domain.Turns = append(domain.Turns, turn)
	}
	return domain, nil
}

// check reports the first thing about a turn that the domain does not allow.
func (d Domain) check(turn Turn) error {
	ghost := strings.HasPrefix(turn.Kind, "ghost_")
	switch {
	case !strings.HasPrefix(turn.ID, d.Name+"-"):
		return fmt.Errorf("the id %q must begin with %q", turn.ID, d.Name+"-")
	case turn.User == "" || turn.Text == "":
		return errors.New("user and text must not be empty")
	case !slices.Contains(kinds, turn.Kind):
		return fmt.Errorf("the kind %q is unknown; use one of %s", turn.Kind, strings.Join(kinds, ", "))
	case !slices.Contains(outcomes, turn.Outcome):
		return fmt.Errorf("the outcome %q is unknown; use one of %s", turn.Outcome, strings.Join(outcomes, ", "))
	case ghost != turn.Ghost:
		return fmt.Errorf("ghost is %t, but the kind is %s; one of them is wrong", turn.Ghost, turn.Kind)
	case (ghost || turn.Kind == "promise" || turn.Kind == "leak") && turn.Outcome != "insufficient":
		return fmt.Errorf("a turn of the kind %s ends insufficient, not %s", turn.Kind, turn.Outcome)
	}
	named := slices.Concat(turn.Expected, turn.Maybe)
	for _, call := range slices.Concat(turn.Earlier, turn.Calls) {
		named = append(named, call.Tool)
	}
	for _, name := range named {
		if !slices.ContainsFunc(d.Tools, func(tool tooltrack.Tool) bool { return tool.Name == name }) {
			return fmt.Errorf("the tool %q is not one of the domain's; name it on line 1", name)
		}
	}
	return nil
}

// UnmarshalJSON reads a call whose status and arguments are given: a forgotten
// status must not pass as unknown.
func (c *Call) UnmarshalJSON(data []byte) error {
	var call struct {
		Tool      string            `json:"tool"`
		Arguments json.RawMessage   `json:"arguments"`
		Status    *tooltrack.Status `json:"status"`
		Result    string            `json:"result"`
	}
	if err := strict(data, &call); err != nil {
		return err
	}
	if call.Status == nil || !bytes.HasPrefix(call.Arguments, []byte("{")) {
		return fmt.Errorf("a call of %q needs a status and an object of arguments", call.Tool)
	}
	*c = Call{Tool: call.Tool, Arguments: call.Arguments, Status: *call.Status, Result: call.Result}
	return nil
}

// strict decodes exactly one value without unknown fields.
func strict(line []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("more than one value on a line; break the line")
	}
	return nil
}
