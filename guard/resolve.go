package guard

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/resolver"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// resolve replaces the reference in a call by the id of the entity it means. It reports true, with the ruling set,
// when no entity can be meant: a call on a guess would be worse than none.
func (t *Turn) resolve(ctx context.Context, p *pending) (denied bool) {
	directory := t.directoryFor(p.tool)
	if directory == nil {
		return false
	}
	args := p.decode()
	if args == nil {
		return false // the policy says what is wrong with it
	}
	reference := args.Value(p.tool.Subject.Arg)
	if reference.Kind() != policy.String {
		return false
	}
	match, found := t.identify(ctx, directory, p, reference.Text())
	if !found {
		return true
	}
	p.touched = []tooltrack.Subject{{Kind: p.tool.Subject.Kind, ID: match.ID, Title: match.Title}}
	if match.ID == reference.Text() {
		return false
	}
	p.call.Args, p.args = withArgument(args, p.tool.Subject.Arg, match.ID), nil
	return false
}

// identify finds the entity that a reference means, or sets the ruling that says why it cannot be acted on.
func (t *Turn) identify(ctx context.Context, directory Directory, p *pending, reference string) (resolver.Match, bool) {
	match, err := resolveReference(ctx, directory, t.input.Owner, reference)
	if errors.Is(err, resolver.ErrNotFound) {
		if done, again := t.handled(p.tool, reference); again {
			match, err = done, nil
		} else if placed, listed := t.place(ctx, directory, reference); listed {
			match, err = placed, nil
		}
	}
	if err == nil {
		err = guessed(ctx, t, directory, p.tool, match)
	}
	switch {
	case err != nil:
		p.ruling = t.unresolved(ctx, p.tool, err)
	case t.isAstray(ctx, directory, p.tool, match):
		p.deny("astray", fmt.Sprintf(
			"the request does not name %s %q; call %s for what it names, or say what prevents it",
			p.tool.Subject.Kind, clipped(match.Title), p.tool.Name))
	default:
		return match, true
	}
	return match, false
}

// handled finds the entity among those that the tool has changed in this turn, or in an earlier run of it. What was
// deleted is in no directory any more, but a repeat of the call still means it, and is answered from the first
// record. A call whose fate is unknown counts: it may be what deleted it.
func (l *ledgerView) handled(tool *tooltrack.Tool, reference string) (resolver.Match, bool) {
	for _, record := range l.records {
		if record.Tool != tool.Name || record.Ruling.Denied || record.Held() || record.Result.Status == tooltrack.Failed {
			continue
		}
		for _, subject := range record.Touched {
			if subject.ID == reference || subject.Title != "" && strings.EqualFold(subject.Title, strings.TrimSpace(reference)) {
				return resolver.Match{Entry: resolver.Entry{ID: subject.ID, Title: subject.Title}, Tier: resolver.ByID}, true
			}
		}
	}
	return resolver.Match{}, false
}

// unresolved is the ruling on a reference that means nothing or too much. Its words are the resolver's, which are
// fit for the user.
func (t *Turn) unresolved(ctx context.Context, tool *tooltrack.Tool, err error) tooltrack.Ruling {
	switch err := nameKindInError(tool.Subject.Kind, err); {
	case errors.Is(err, resolver.ErrAmbiguous):
		return tooltrack.Ruling{Denied: true, Rule: ruleAmbiguous, Reason: err.Error()}
	case errors.Is(err, resolver.ErrNotFound):
		return tooltrack.Ruling{Denied: true, Rule: ruleNotFound, Reason: err.Error()}
	}
	t.guard.hostFault(ctx, "Directory.Resolve", err)
	reason := fmt.Sprintf("it could not be looked up which %s is meant", tool.Subject.Kind)
	return tooltrack.Ruling{Denied: true, Rule: ruleResolve, Reason: reason}
}

// guessed reports, as an ambiguity, a change of an entity that the model picked among several which the user's
// words fit equally well. A title that the assistant had named before is no guess: the user may have answered to
// it.
func guessed(
	ctx context.Context, t *Turn, directory Directory, tool *tooltrack.Tool, picked resolver.Match,
) error {
	at := slices.IndexFunc(t.intent.Expect, func(e intent.Expectation) bool { return e.Tool == tool.Name })
	named := picked.Title != "" && strings.Contains(strings.ToLower(t.previous), strings.ToLower(picked.Title))
	if at < 0 || !tool.Effect.MayChange() || named {
		return nil
	}
	var guess error
	for _, reference := range t.references(ctx, t.intent.Expect[at], tool) {
		match, err := resolveReference(ctx, directory, t.input.Owner, reference)
		if err == nil && match.ID == picked.ID {
			return nil
		}
		var ambiguous *resolver.AmbiguousError
		isPicked := func(candidate resolver.Match) bool { return candidate.ID == picked.ID }
		if errors.As(err, &ambiguous) && slices.ContainsFunc(ambiguous.Candidates, isPicked) {
			guess = ambiguous
		}
	}
	return guess
}

// withArgument sets one member of an object and keeps the values of the others.
func withArgument(args *policy.Args, name, value string) json.RawMessage {
	members := map[string]any{name: value}
	for i := range args.Len() {
		if other := args.Name(i); other != name {
			members[other] = args.Value(other).Raw()
		}
	}
	changed, _ := json.Marshal(members) // it cannot fail: a string, and values that have been read
	return changed
}

// canForce reports whether the model may be forced to call an expected tool: the intent is confident, or the
// message is a plain command; and for a change, and where the words alone do not settle it, it is clear which
// entity is meant. Otherwise a wrong reading of the message would become an unasked change.
func (t *Turn) canForce(ctx context.Context, expected intent.Expectation) bool {
	tool := toolNamed(t.offered, expected.Tool)
	if tool == nil {
		return false
	}
	confident := expected.Confidence >= highConfidence
	// A named choice leaves no way out, so a change needs more: an entity, or a host that says itself what it asks
	// for.
	host := tool.Subject.Arg == "" && t.intent.Due >= beyondDoubtDue
	if confident && (!tool.Effect.MayChange() || host) {
		return true
	}
	if !confident && !expected.Command || tool.Subject.Arg == "" {
		return false
	}
	directory := t.directoryFor(tool)
	if directory == nil {
		return false
	}
	// The title itself, or the id: words and typing errors are good enough to run what the model asks for, not to
	// make it ask.
	spelled := []resolver.Tier{resolver.ByID, resolver.Identical, resolver.Folded, resolver.Accents}
	for _, reference := range t.references(ctx, expected, tool) {
		match, err := resolveReference(ctx, directory, t.input.Owner, reference)
		if err == nil && slices.Contains(spelled, match.Tier) {
			t.forcedOn = append(t.forcedOn, match.ID)
			return true
		}
	}
	return false
}

// highConfidence is where the words of a message leave little doubt: a verb and an object that both belong to the
// tool.
const highConfidence = 0.8

// references are the pieces of the message that may name the entity: what it mentions, what is quoted, and what is
// left without the words that asked for the tool.
func (t *Turn) references(ctx context.Context, expected intent.Expectation, tool *tooltrack.Tool) (found []string) {
	text := t.input.User
	if mentioned := t.mentionOf(ctx, tool.Subject.Kind); mentioned != "" {
		found = []string{mentioned}
	}
	for _, pair := range quotePairs {
		if _, rest, quoted := strings.Cut(text, pair[0]); quoted {
			if inner, _, closed := strings.Cut(rest, pair[1]); closed && inner != "" {
				found = append(found, inner)
			}
		}
	}
	rest := text
	if _, behind, has := strings.Cut(text, expected.Words); has && expected.Words != "" {
		found = append(found, strings.Trim(behind, " .!?,:;"))
		rest = strings.Replace(text, expected.Words, " ", 1)
	}
	return append(found, strings.Trim(rest, " .!?,:;"))
}

var quotePairs = [][2]string{{`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}}

// isAstray reports a change to another entity than the one that is meant: that which an answer was forced for, or
// that which the message has named and then calls "it" ("rename Read book to Read novel and set it high").
func (t *Turn) isAstray(ctx context.Context, directory Directory, tool *tooltrack.Tool, match resolver.Match) bool {
	if len(t.forcedOn) > 0 || !tool.Effect.MayChange() || !reading.SaysIt(t.wanted) {
		return len(t.forcedOn) > 0 && tool.Effect.MayChange() && !slices.Contains(t.forcedOn, match.ID)
	}
	entries := slices.Clone(entriesOf(ctx, t.guard, directory, t.input.Owner))
	for _, record := range t.records {
		for _, touched := range record.Touched { // by the title that it had when the message was written
			if touched.ID == match.ID {
				return false
			}
			entries = slices.DeleteFunc(entries, func(e resolver.Entry) bool { return e.ID == touched.ID })
			entries = append(entries, resolver.Entry{ID: touched.ID, Title: touched.Title})
		}
	}
	named := func(word string) bool {
		_, to := longestTitle(t.wanted, []resolver.Entry{{Title: word}})
		return to > 0
	}
	from, to := longestTitle(t.wanted, entries)
	return to > 0 && reading.IsObject(t.wanted, from, to, tool.Subject.Kind) &&
		!slices.ContainsFunc(strings.Fields(match.Title), named) &&
		!reading.SaysIt(t.wanted[:from]) && reading.SaysIt(t.wanted[to:])
}

// place finds the entity that a reference names by its place in the listing that was shown last: "the second one",
// "#2". Only a directory that can show its entries knows which titles a listing held.
func (t *Turn) place(ctx context.Context, directory Directory, reference string) (resolver.Match, bool) {
	entries := entriesOf(ctx, t.guard, directory, t.input.Owner)
	for _, shown := range t.shownLast() {
		if listed := listedIn(shown, entries); len(listed) > 1 {
			match, err := resolver.Ordinal(reference, listed, nil)
			return match, err == nil
		}
	}
	return resolver.Match{}, false
}

// shownLast are the texts that may have listed entities, the latest first: what the assistant said before the
// message, and what reads returned.
func (t *Turn) shownLast() []string {
	texts := []string{t.previous}
	for _, records := range [][]*tooltrack.Record{t.earlier, t.records} {
		for _, record := range records {
			if record.Succeeded() && !record.Effect.MayChange() {
				texts = append(texts, record.Result.Text())
			}
		}
	}
	slices.Reverse(texts)
	if last := len(texts) - 1; last > 0 && len(t.records) == 0 { // the message answers what was said
		texts = append([]string{texts[last]}, texts[:last]...)
	}
	return texts
}

// listedIn are the entries whose titles stand in a text, in its order. Entries of one title are told apart by their
// order where the text lists all of them; where it does not, nobody can say which it lists.
func listedIn(text string, entries []resolver.Entry) []resolver.Entry {
	byTitle := make(map[string][]resolver.Entry, len(entries))
	for _, entry := range entries {
		title := strings.ToLower(strings.TrimSpace(entry.Title))
		byTitle[title] = append(byTitle[title], entry)
	}
	var listed []resolver.Entry
	seen := make(map[string]int)
	for _, place := range titlesIn(text, entries) {
		title := strings.ToLower(text[place.from:place.to])
		if same := byTitle[title]; len(same) > 0 {
			listed = append(listed, same[seen[title]%len(same)])
			seen[title]++
		}
	}
	for title, times := range seen {
		if same := len(byTitle[title]); same > 1 && times != same {
			return nil
		}
	}
	return listed
}

var _ Lister = (*resolver.Directory)(nil)

// nameKindInError is the error of a directory whose host has not said what an entry is called: it is called by the
// kind that the tool works on.
func nameKindInError(kind string, err error) error {
	var (
		missing   *resolver.NotFoundError
		ambiguous *resolver.AmbiguousError
	)
	switch {
	case errors.As(err, &missing) && missing.Noun == resolver.DefaultNoun:
		renamed := *missing
		renamed.Noun = kind
		return &renamed
	case errors.As(err, &ambiguous) && ambiguous.Noun == resolver.DefaultNoun:
		renamed := *ambiguous
		renamed.Noun = kind
		return &renamed
	}
	return err
}
