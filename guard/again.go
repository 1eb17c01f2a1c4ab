package guard

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// doneBefore reports whether a change that follows a message of the guard was made
// already: its tool has succeeded, or was accepted, and the call names nothing further
// that the user's message speaks of. "Petra" is paid once, whether she is called by her
// surname or not. What failed may be tried again, and what the user wants once more is no
// repetition.
func (t *Turn) doneBefore(call tooltrack.Call) bool {
	made := func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Effect.MayChange() && (r.Succeeded() || r.Result.Status == tooltrack.Pending)
	}
	failed := func(r *tooltrack.Record) bool {
		return r.Tool == call.Tool && r.Result.Status == tooltrack.Failed && sameArgs(r.Args, call.Args)
	}
	if slices.ContainsFunc(t.records, failed) || reading.OnceMore(t.wanted) {
		return false
	}
	same := func(r *tooltrack.Record) bool {
		return made(r) && !t.namesFurther(call.Args, r) && !namesDifference(t.wanted, call.Args, r.Args, strings.EqualFold)
	}
	if slices.ContainsFunc(t.records, same) {
		return true
	}
	at := slices.IndexFunc(t.asked.expected, func(e intent.Expectation) bool { return e.Tool == call.Tool })
	if at >= 0 && t.asked.sure[at] {
		return false // it is ordered anew
	}
	return slices.ContainsFunc(t.earlier, same)
}

// madeEarlier reports whether the expected change may be one that an earlier turn made: its
// tool succeeded there for something that the message names, and the message does not
// want it once more. "I said send a courier to St. Anna!" may be answered by "it is sent".
func madeEarlier(expected intent.Expectation, turn completion.Case) bool {
	if len(turn.Earlier) == 0 || reading.OnceMore(turn.User) {
		return false
	}
	said := wordsIn(turn.User)
	return slices.ContainsFunc(turn.Earlier, func(r *tooltrack.Record) bool {
		if r.Tool != expected.Tool || !r.Effect.MayChange() || !r.Proves() {
			return false
		}
		return givenAny(r.Args, said)
	})
}

// givenAny reports whether a call was given something that is named by some words.
func givenAny(args []byte, said []string) (given bool) {
	told := func(word string) bool { return !functional(word) && sayWord(said, word) }
	eachValue(args, func(words []string, _ bool) { given = given || slices.ContainsFunc(words, told) })
	return given
}

// namesFurther reports whether a call names something of the user's message that an
// earlier call does not name, or, where the message speaks of several things, anything
// else. A figure that the user tells, and the earlier call does not have, is what that call got
// wrong; one that the user does not tell is an amount.
func (t *Turn) namesFurther(args []byte, earlier *tooltrack.Record) bool {
	said, known := wordsIn(t.wanted), map[string]bool{}
	know := func(words []string) {
		for _, word := range words {
			known[word] = true
		}
	}
	for key := range jsonspan.Members(earlier.Args) {
		know(wordsIn(string(jsonspan.Key(key)))) // "tent 4" is no other tent than 4
	}
	for _, subject := range earlier.Touched {
		know(wordsIn(subject.Title)) // its id may be all that the arguments have
	}
	figures := false // the user tells one of the earlier call
	eachValue(earlier.Args, func(words []string, figure bool) {
		figures = figures || figure && sayWord(said, words[0])
		know(words)
	})
	several, further := reading.SpeaksOfSeveral(t.wanted), false
	eachValue(args, func(words []string, figure bool) {
		const longest = 3 // of a name
		old := func(word string) bool { return known[word] }
		told := func(word string) bool { return !known[word] && !functional(word) && sayWord(said, word) }
		switch {
		case further || figure && !figures && !(told(words[0]) && !t.comesTo(earlier, words[0])) || len(words) > longest:
		case slices.ContainsFunc(words, told), several && !figure && !slices.ContainsFunc(words, old):
			further = true
		}
	})
	return further
}

// comesTo reports whether a figure of a call is some times another one: two visits at 90 were
// paid by 180.
func (t *Turn) comesTo(made *tooltrack.Record, figure string) (comes bool) {
	once, err := strconv.ParseFloat(figure, 64)
	if err != nil || once <= 0 {
		return false
	}
	eachValue(made.Args, func(words []string, isFigure bool) {
		given, err := strconv.ParseFloat(words[0], 64)
		comes = comes || isFigure && err == nil && given >= once && math.Mod(given, once) == 0
	})
	return comes
}

// eachValue yields the words, in small letters, of each text and figure in an object of
// JSON.
func eachValue(data []byte, yield func(words []string, figure bool)) {
	switch kind := jsonspan.KindOf(data); kind {
	case jsonspan.Object:
		for _, value := range jsonspan.Members(data) {
			eachValue(value, yield)
		}
	case jsonspan.Array:
		for value := range jsonspan.Elements(data) {
			eachValue(value, yield)
		}
	case jsonspan.String, jsonspan.Number:
		if words := wordsIn(jsonspan.Scalar(data)); len(words) > 0 {
			yield(words, kind == jsonspan.Number)
		}
	}
}

// functional reports whether a word only ties others together; a letter may be a name.
func functional(word string) bool {
	entry := lexicon.English().Lookup(word)
	return len(word) > 1 && entry != nil && entry.Class.Has(lexicon.Determiner|lexicon.Preposition|lexicon.Conjunction)
}

// wordsIn are the words of a text, in small letters. A stop between two signs belongs to
// its word: "12.5" is one number.
func wordsIn(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !wordRune(r) && r != '.' })
	for i, word := range words {
		words[i] = strings.Trim(word, ".")
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}

// sayWord reports whether one of some words is another, or begins like it: "Thu" for
// Thursday.
func sayWord(said []string, word string) bool {
	const few = 3
	return slices.ContainsFunc(said, func(other string) bool {
		return other == word || len(word) >= few && strings.HasPrefix(other, word) ||
			len(other) >= few && strings.HasPrefix(word, other)
	})
}
