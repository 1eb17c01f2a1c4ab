package match

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
)

// Piece is a whole sentence of a text, or a whole row of a table with its header. It knows
// its text.
type Piece struct {
	reading.Span
	// Header is the first row of the table that the piece is a row of.
	Header string
}

// Text is the piece without the space around it.
func (p *Piece) Text() string { return strings.TrimSpace(p.String()) }

// Pieces cuts a text into its sentences and the rows of its tables. They do not overlap.
func Pieces(text string) []Piece {
	read := reading.English().Borrow(text)
	defer read.Return()
	pieces := make([]Piece, 0, len(read.Sentences))
	header, last := "", -1
	from, to, row := 0, -1, false // of the line that a sentence begins in
	for i := range read.Sentences {
		s := &read.Sentences[i]
		start, end := s.Start, s.End
		if start < from || start > to {
			from, to = lineAround(text, start)
			row = isRow(text[from:to])
		}
		if !row {
			header = ""
			if start >= end || last >= start {
				continue
			}
			pieces, last = append(pieces, Piece{Span: reading.SpanOf(text, start, end)}), end-1
			continue
		}
		if last >= from {
			continue // another cell of the same row
		}
		last = to - 1
		if header == "" {
			header = strings.TrimSpace(text[from:to])
			continue
		}
		if strings.Trim(text[from:to], "|-: \t\r\n") != "" {
			pieces = append(pieces, Piece{reading.SpanOf(text, from, to), header})
		}
	}
	return pieces
}

// lineAround is the line that a place of a text stands in.
func lineAround(text string, at int) (from, to int) {
	from = strings.LastIndexByte(text[:at], '\n') + 1
	if to = strings.IndexByte(text[at:], '\n'); to < 0 {
		return from, len(text)
	}
	return from, at + to
}

// isRow reports whether a line is a row of a table.
func isRow(line string) bool {
	line = strings.TrimSpace(line)
	return strings.Count(line, "|") >= 2 && (strings.HasPrefix(line, "|") || strings.HasSuffix(line, "|"))
}

// Names reports whether some words name what a sentence does: all that it calls by a name,
// an id or a figure, or else half of its words. A model answers in words of its own.
func Names(words, sentence string) bool {
	told, said, all := keysIn(words), 0, 0
	named, missing := false, false
	for _, v := range reading.English().Values(nil, sentence) {
		if v.Has(reading.Derived|reading.Merged) || v.Kind == reading.Word && !v.IsContent() {
			continue
		}
		all++
		if told[v.Key] {
			said++
		}
		if v.Kind != reading.Word || v.Entry == nil {
			named, missing = true, missing || !told[v.Key]
		}
	}
	return 2*said >= all || named && !missing
}

// Meets reports whether two texts share a word or a value that means something.
func Meets(one, other string) bool {
	told := keysIn(one)
	return slices.ContainsFunc(reading.English().Values(nil, other), func(v reading.Value) bool {
		return (v.Kind != reading.Word || v.IsContent()) && told[v.Key]
	})
}

// LeavesOpen reports whether a sentence leaves something open: it denies, asks, waits or
// tells of trouble.
func LeavesOpen(sentence string) bool {
	const open = reading.RoleNegative | reading.RoleCondition | reading.RoleTrouble | reading.RoleUnable |
		reading.RoleFail | reading.RoleLonger | reading.RoleError | reading.RoleMissing | reading.RolePart |
		reading.RoleNoChange | reading.RoleWait | reading.RoleHold
	read := reading.English().Borrow(sentence)
	defer read.Return()
	if read.AllRoles()&open != 0 || strings.Contains(sentence, "?") {
		return true
	}
	denies := func(token lexicon.Token) bool { return token.Class().Has(lexicon.Negation | lexicon.Refusal) }
	return slices.ContainsFunc(read.Tokens, denies)
}

// IsUnread reports whether a text is in a language without a word list.
func IsUnread(text string) bool {
	read := reading.English().Borrow(text)
	defer read.Return()
	return read.Foreign()
}

// Denies reports whether all that a sentence claims is that something was not done, or did
// not work.
func Denies(sentence string) bool {
	denies := false
	for _, claim := range Read(sentence) {
		switch claim.Kind {
		case Denied, Failed:
			denies = true
		case Did, Looked:
			return false
		}
	}
	return denies
}

// Serves reports whether one of some records may be what the words of a request ask for: it
// shares the act, or something that they name.
func (t *Turn) Serves(words string, numbers []int) bool {
	text, requests := reading.English().Read(nil, words), t.claimsOf(words)
	var acts lexicon.Families
	for i := range text.Tokens {
		acts = acts.Union(text.Tokens[i].Families())
	}
	for _, r := range t.records(numbers) {
		does := func(c Claim) bool { return t.actOf(&c, r).Relation != Contradicts }
		if len(requests) > 0 && !slices.ContainsFunc(requests, does) {
			continue
		}
		if r.acts().Overlaps(acts) || slices.ContainsFunc(text.Values, func(v reading.Value) bool {
			return (v.Kind != reading.Word || v.IsContent()) && !v.Has(reading.Derived) && r.has(&v)
		}) {
			return true
		}
	}
	return false
}

// Done are the numbers of the changes of this turn that are over and have both the act and
// the things of a request.
func (t *Turn) Done(words string) (numbers []int) {
	claims := t.claimsOf(words)
	for number := t.earlier + 1; number <= len(t.source) && len(claims) > 0; number++ {
		if t.didAll(claims[:1], t.record(number)) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// didAll reports whether a change that is over has both the acts and the things of some claims.
func (t *Turn) didAll(claims []Claim, r *record) bool {
	return r.changes() && r.isOver() && !slices.ContainsFunc(claims, func(c Claim) bool {
		return t.actOf(&c, r).Relation != Backs || !t.sharesAll(&c, r)
	})
}

// IsLook reports whether all that words tell is that something was looked at: "listed the
// tasks".
func IsLook(words string) bool {
	claims := Read(words)
	return len(claims) > 0 && !slices.ContainsFunc(claims, func(c Claim) bool {
		return c.Kind != Looked && (c.acts.Empty() || !c.acts.Without(reading.LookFamilies).Empty())
	})
}
