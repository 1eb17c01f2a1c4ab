package match

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Content are the values of a text, and those of its words that mean something by themselves.
func Content(text string) []reading.Value {
	return slices.DeleteFunc(reading.English().Values(nil, text), func(v reading.Value) bool {
		return v.Has(reading.Derived|reading.Merged) || v.Kind == reading.Word && !v.IsContent()
	})
}

// contentKeys are those of texts.
func contentKeys(texts ...string) keys {
	held := keys{}
	for _, text := range texts {
		held.add(Content(text))
	}
	return held
}

// HasFigures reports whether calls have each figure of a message: who asked for 450 and got 45 has not got it.
func HasFigures(records []*tooltrack.Record, message string) bool {
	called := keys{}
	for _, record := range records {
		called.add(Content(string(record.Args)))
	}
	return !slices.ContainsFunc(Content(message), func(v reading.Value) bool {
		return v.Kind == reading.Number && !called[v.Key]
	})
}

// SpeaksOf reports whether a message speaks of what a claim is about: it has each number and name of it, and half of
// its other words.
func SpeaksOf(message, claim string) bool {
	said, values, shared := contentKeys(message), Content(claim), 0
	for _, v := range values {
		if said[v.Key] {
			shared++
		} else if v.Kind != reading.Word || v.Entry == nil {
			return false
		}
	}
	return 2*shared >= len(values)
}

// Repeat is a call that may do again what an earlier call of the same tool did.
type Repeat struct {
	// Said is the user's message, and Args what the call is given.
	Said string
	Args []byte
	// Earlier is the call before it, and Known are all records.
	Earlier *tooltrack.Record
	Known   []*tooltrack.Record
	// Harmless is true where it does no harm if the tool runs twice: it neither sends, creates, pays nor deletes.
	Harmless bool
}

// IsSame reports whether the call names nothing further that the message speaks of. "Petra" is paid once, whether she
// is called by her surname or not. A setting of the same thing to something else is no repetition.
func (r *Repeat) IsSame() bool {
	return !r.hasFurtherNames() && !r.isSetAnew() && !isDifferenceNamed(r.Said, r.Args, r.Earlier.Args, strings.EqualFold)
}

// isSetAnew reports whether an argument is another day, id or command than in the earlier call; or another figure for
// the same thing, its first argument, by a tool that may run again: a silence of two hours is made one of ten.
func (r *Repeat) isSetAnew() bool {
	told, before := scalarsIn(r.Args, nil), scalarsIn(r.Earlier.Args, nil)
	return isSetAnew(r.Args, r.Earlier.Args, r.Harmless && len(told) > 1 && len(before) > 0 && told[0] == before[0])
}

func isSetAnew(args, earlier []byte, figures bool) bool {
	for key, value := range jsonspan.Members(args) {
		name, theirs := string(jsonspan.Key(key)), jsonspan.Member(earlier, string(jsonspan.Key(key)))
		program := isListed("programs", name) && jsonspan.Scalar(value) != jsonspan.Scalar(theirs)
		if program || jsonspan.KindOf(value) == jsonspan.Object && isSetAnew(value, theirs, figures) {
			return true
		}
		one, two := Content(jsonspan.Scalar(value)), Content(jsonspan.Scalar(theirs))
		if len(one) == 0 || len(two) == 0 || one[0].Kind == reading.Word || one[0].Key == two[0].Key {
			continue
		}
		at := strings.IndexAny(one[0].String(), "0123456789") // "CPUHigh" and "14h20m" are no ids
		isID := one[0].Kind == reading.ID && at > 0
		if figures || len(one) == 1 && (isID || one[0].Kind == reading.Date) {
			return true
		}
	}
	return false
}

// hasFurtherNames reports whether a call names something of the user's message that the earlier call does not name
// or, where the message speaks of several things, anything else. A figure that the user tells, and the earlier call
// does not have, is what that call got wrong, and a tool that sends, creates or pays would do all of it on top; one
// that the user does not tell is an amount.
func (r *Repeat) hasFurtherNames() bool {
	const longest = 3 // of a name
	said, given := contentKeys(r.Said), Content(string(r.Earlier.Args))
	known := keys{}
	known.add(given)
	for _, subject := range r.Earlier.Touched {
		known.add(Content(subject.Title)) // its id may be all that the arguments have
	}
	isKnown := func(v reading.Value) bool { return known[v.Key] }
	several := reading.SpeaksOfSeveral(r.Said)
	if several && hasOtherCode(r.Args, r.Earlier.Args) {
		return true
	}
	for _, text := range scalarsIn(r.Args, nil) {
		values := Content(text)
		for i := range values {
			v := &values[i]
			switch {
			case len(values) > longest, known[v.Key]:
			case v.Kind == reading.Number && (r.hasFigure(v, given, said, known) || several && r.isListedBeside(v, given)):
				return true
			case v.Kind != reading.Number && (said[v.Key] || several && !slices.ContainsFunc(values, isKnown)):
				return true
			}
		}
	}
	return false
}

// hasFigure reports whether a figure that the earlier call does not have is one that the message asks for beyond it:
// what is left of an amount ("three", after two), or an amount that it did not have. Two visits at 90 were paid by 180.
func (r *Repeat) hasFigure(v *reading.Value, given []reading.Value, said, known keys) bool {
	told, counted := false, false
	for _, g := range given {
		if g.Kind != reading.Number {
			continue
		}
		whole := reading.KeyOf(reading.Number, g.Number+v.Number)
		if g.Number > 0 && v.Number > 0 && said[whole] && !known[whole] {
			return true
		}
		partly, times := !r.Harmless && g.Number > 0 && g.Number < v.Number, v.Number > 0 && g.Number >= v.Number
		told = told || said[g.Key]
		counted = counted || partly || times && math.Mod(g.Number, v.Number) == 0
	}
	return said[v.Key] && (told || !counted)
}

// isListedBeside reports whether a look-up has returned both a figure and one of the earlier call: the numbers of two
// entries.
func (r *Repeat) isListedBeside(v *reading.Value, given []reading.Value) bool {
	const most = 64 << 10 // bytes of a result in which entries are looked for
	return slices.ContainsFunc(r.Known, func(look *tooltrack.Record) bool {
		if !look.Succeeded() || look.Effect.MayChange() {
			return false
		}
		text := look.Result.Text()
		listed := contentKeys(text[:min(len(text), most)])
		of := func(g reading.Value) bool { return g.Kind == reading.Number && listed[g.Key] }
		return listed[v.Key] && slices.ContainsFunc(given, of)
	})
}

// scalarsIn appends the texts and figures of a JSON value.
func scalarsIn(data []byte, scalars []string) []string {
	for _, child := range jsonspan.Children(data) {
		scalars = scalarsIn(child, scalars)
	}
	if text := jsonspan.Scalar(data); text != "" {
		scalars = append(scalars, text)
	}
	return scalars
}

// hasOtherCode reports whether an argument has another letter or two than in an earlier call: "A" for the altos,
// after "S".
func hasOtherCode(args, earlier []byte) bool {
	const longest = 2
	isCode := func(text string) bool { return text != "" && len(text) <= longest && len(Content(text)) == 0 }
	for key, value := range jsonspan.Members(args) {
		one, two := jsonspan.Scalar(value), jsonspan.Scalar(jsonspan.Member(earlier, string(jsonspan.Key(key))))
		if isCode(one) && isCode(two) && !strings.EqualFold(one, two) {
			return true
		}
	}
	return false
}

// IsNamedApart reports whether words tell one call from another that says the same in other letters: they hold both
// spellings ("first 100, then 100.00"), or name an argument that only one of the two has ("and clear the due date").
func IsNamedApart(words string, one, other []byte) bool {
	return isDifferenceNamed(words, one, other, nil) || isDifferenceNamed(words, other, one, nil)
}

// isDifferenceNamed reports whether words name what one call has and the other has not, or has in another spelling:
// of a kind, or any.
func isDifferenceNamed(words string, one, other []byte, spelled func(one, other string) bool) bool {
	for key, value := range jsonspan.Members(one) {
		name, text := string(jsonspan.Key(key)), strings.TrimSpace(jsonspan.Scalar(value))
		twin := jsonspan.Member(other, name)
		theirs := strings.TrimSpace(jsonspan.Scalar(twin))
		respelled := text != "" && theirs != "" && text != theirs && (spelled == nil || spelled(text, theirs))
		isNamed := func(word string) bool { return len(word) > 2 && isStandingIn(strings.ToLower(words), word) }
		switch {
		case bytes.Equal(value, twin):
		case twin == nil && text == "" && slices.ContainsFunc(strings.Fields(toolname.InWords(name)), isNamed),
			respelled && isStandingIn(words, text) && isStandingIn(words, theirs):
			return true
		}
	}
	return false
}

// isStandingIn reports whether a text holds a piece that nothing continues: "100" does not stand in "100.00".
func isStandingIn(text, piece string) bool {
	divides := func(r rune) bool { return strings.ContainsRune(" \t\n\"'“”‘’(),;!?", r) }
	for _, field := range strings.FieldsFunc(text, divides) {
		if strings.TrimRight(field, ".:") == piece {
			return true
		}
	}
	return strings.Contains(piece, " ") && strings.Contains(text, piece)
}
