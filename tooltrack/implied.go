package tooltrack

import (
	"cmp"
	"slices"
)

// Implied is what the words of a tool imply where nothing is declared. This package reads no
// words; package guard fills it in. Without it a change runs once only, and no state in a result
// is taken for the work of the call.
type Implied struct {
	// Reads is a tool that looks something up, or waits for something, by its name.
	Reads bool
	// AsksState is one that is asked for a state: get_job_status.
	AsksState bool
	// Repeats is one whose name does not say that it sends, creates, pays or deletes: where no
	// effect is declared it may run again, as polls and tests do.
	Repeats bool
	// Places is a tool that has done its work when what it makes exists: an order is placed.
	Places bool
	// Starts is one that sets a thing going, which then goes on: of a server "running" is the
	// end. Begins starts something that has an end of its own, and Makes something that may run
	// when it is made, or while it is.
	Starts, Begins, Makes bool
	// Verb is the verb of the name, and Words are all its words, in lower case and base form.
	Verb  string
	Words []string
	// Done are the words which say that what the tool does is done: "cancelled" of
	// cancel_order. Alike say that something of the kind is: "sent" of notify_guest.
	Done, Alike []string
}

// noWords is what nothing is known of.
var noWords Implied

func (i *Implied) does(word string) bool { return slices.Contains(i.Done, word) }

// hasWord reports whether a word stands in the name, in whatever number.
func (i *Implied) hasWord(word string) bool {
	return len(word) > 2 && slices.ContainsFunc(i.Words, func(own string) bool {
		return own == word || own == word+"s" || own+"s" == word
	})
}

// asked is a call that is read about: what its result says depends on what it was to do.
type asked struct {
	effect  Effect
	call    Call
	returns bool // a success has a result
	*Implied
}

func (t *Tool) asked(call Call) *asked {
	return &asked{t.Effect, call, t.Returns, cmp.Or(t.Implied, &noWords)}
}

// unknownCall is the call of a result that comes alone.
var unknownCall = new(Tool).asked(Call{})

// isLookup reports a tool that looks something up, by what is declared or, else, by its words.
func (a *asked) isLookup() bool { return a.effect == Reads || a.effect == UnknownEffect && a.Reads }

// isChange reports a tool that may do something, and not only look or check.
func (a *asked) isChange() bool { return a.effect.MayChange() && !a.isLookup() }
