package completion

import (
	"strings"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// reading is a text cut into sentences, and what its verbs report. It is
// reused from one text to the next, so that reading allocates nothing once
// its slices have grown.
type reading struct {
	vocabulary *vocabulary
	text       string
	bytes      []byte // of the text, for the scanner
	tokens     []lexicon.Token
	words      []*word // of each token; never nil
	sentences  []sentence
	events     []event
	json       bool // the text was unwrapped: its lines are fields, not headlines
	cited      int  // sentences in block quotations
	verbatim   bool // a quotation is one, even if it is the whole text
	quoted     bool // the whole text is one quotation, so quotation says nothing
	tools      *toolWords
	thorough   bool // no shortcut is taken: what the shortcuts are held against
}

// sentence is a stretch of tokens up to a full stop or the end of a line.
type sentence struct {
	from, to int // tokens [from,to), the stop not included
	first    int // the first word; to if there is none
	asking   bool
	listed   bool // a line that begins with a bullet, a number or a tick
	ticked   bool // … with a tick
	roles    role // all roles of its words
	cues     cue
	triggers trigger
	words    int  // how many there are
	unknown  int  // … that nobody listed
	wide     int  // … with letters beyond ASCII
	cited    bool // stands in a block quotation
}

// read cuts the text and finds its events.
func (r *reading) read(text string) {
	r.cut(text)
	for i := range r.sentences {
		r.readSentence(i)
	}
}

// wholeQuotation reports whether the text is put in quotation marks as a whole.
func (r *reading) wholeQuotation() bool {
	n := len(r.tokens)
	return n > 2 && r.tokens[0].Kind == lexicon.Quote && r.tokens[n-1].Kind == lexicon.Quote && !r.tokens[0].Has(lexicon.Quoted) &&
		r.tokens[1].Has(lexicon.Quoted) && r.tokens[n-2].Has(lexicon.Quoted)
}

// cut looks up the words of a text and finds its sentences. What all words of
// a sentence are is gathered in variables of the loop: it is run for each token
// of every text.
func (r *reading) cut(text string) {
	r.text = text
	r.scan(text)
	r.sentences, r.events, r.cited = r.sentences[:0], r.events[:0], 0
	r.quoted = !r.verbatim && r.wholeQuotation()
	s := r.begin(0)
	var roles role
	var cues cue
	var triggers trigger
	line := 0
	for i := range r.tokens {
		const limit = 300 // tokens; what is longer is no sentence, and reading must stay linear
		switch t := &r.tokens[i]; t.Kind {
		case lexicon.Word, lexicon.Number, lexicon.Name:
			w := r.words[i]
			roles |= w.role
			cues |= w.cue
			triggers |= w.trigger
			if s.first < 0 {
				s.first = i
			}
			if t.Kind == lexicon.Word {
				if w == noWord && t.Entry == nil {
					r.countUnknown(s, i)
				}
				if t.Flags&lexicon.Quoted == 0 || r.quoted {
					s.words++
				}
			}
			if i-s.from < limit {
				continue
			}
		case lexicon.End:
			if s.from == line && r.numbering(s, i) || r.goesOn(i) {
				continue
			}
			s.asking = t.Has(lexicon.Asking)
		case lexicon.Break:
			line = i + 1
		default:
			if i-s.from < limit {
				continue
			}
		}
		s.roles, s.cues, s.triggers = roles, cues, triggers|s.triggers
		r.addSentence(s, i)
		s = r.begin(i + 1)
		roles, cues, triggers = 0, 0, 0
	}
	s.roles, s.cues, s.triggers = roles, cues, triggers|s.triggers
	r.addSentence(s, len(r.tokens))
}

// countUnknown adds a word that nobody listed to its sentence.
func (r *reading) countUnknown(s *sentence, i int) {
	if r.looksPast(i) {
		s.triggers |= triggerVerb
	}
	if r.isQuoted(i) {
		return
	}
	s.unknown++
	if r.text[r.tokens[i].Start] >= utf8.RuneSelf {
		s.wide++
	}
}

// goesOn reports whether the marks at i end no sentence: dots before a small
// letter ("I have ... deleted it"), or those that begin a name (../lib, .env).
func (r *reading) goesOn(i int) bool {
	if i+1 >= len(r.tokens) || r.tokens[i].Has(lexicon.Asking) || r.tokens[i].End-r.tokens[i].Start == 1 && !r.tokens[i+1].Has(lexicon.Glued) {
		return false
	}
	mark, next := r.token(i), &r.tokens[i+1]
	c := r.text[next.Start]
	switch {
	case mark != "." && mark[0] != '.' && mark != "…", strings.ContainsAny(mark, "!。！"):
		return false
	case next.Has(lexicon.Glued) && !r.tokens[i].Has(lexicon.Glued) && c != '\n':
		return next.Kind <= lexicon.Name || c == '/'
	}
	return mark != "." && c >= 'a' && c <= 'z'
}

// numbering reports whether a line has nothing but a number so far: "1.".
func (r *reading) numbering(s *sentence, to int) bool {
	return s.first >= 0 && s.words == 0 && to > s.from && r.tokens[s.first].Kind == lexicon.Number
}

// begin makes room for a sentence behind the last one, which addSentence adds.
func (r *reading) begin(from int) *sentence {
	n := len(r.sentences)
	r.sentences = append(r.sentences, sentence{from: from, first: -1})
	r.sentences = r.sentences[:n]
	return &r.sentences[:n+1][n]
}

// addSentence adds the sentence that was begun last, if it has a word.
func (r *reading) addSentence(s *sentence, to int) {
	if s.to = to; s.first >= 0 {
		r.mark(s)
		if s.cited = r.blockQuoted(s); s.cited {
			r.cited++
		}
		r.sentences = r.sentences[:len(r.sentences)+1]
	}
}

// blockQuoted reports whether the sentence stands on a line that begins with
// ">": it begins the line, or goes on where a quoted one ended.
func (r *reading) blockQuoted(s *sentence) bool {
	if r.text[r.tokens[s.from].Start] == '>' {
		return s.from == 0 || r.tokens[s.from-1].Kind == lexicon.Break
	}
	n := len(r.sentences)
	return r.cited > 0 && n > 0 && r.sentences[n-1].cited && r.sentences[n-1].to == s.from-1 && r.tokens[s.from-1].Kind == lexicon.End
}

// isCited reports whether a sentence stands in a block quotation. A text that
// is nothing else quotes nobody.
func (r *reading) isCited(s *sentence) bool { return s.cited && r.cited < len(r.sentences) }

// mark looks for a bullet or a tick before the first word.
func (r *reading) mark(s *sentence) {
	for i := s.from; i < s.first; i++ {
		if r.tokens[i].Kind != lexicon.Symbol {
			continue
		}
		switch r.token(i) {
		case "-", "*", "•", "·", "–":
			s.listed = s.listed || !r.tokens[i+1].Has(lexicon.Glued) // "**bold**" is no bullet
		case "✅", "✓", "✔", "☑", "🎉":
			s.listed, s.ticked = true, true
		}
	}
	if r.tokens[s.first].Kind == lexicon.Number && s.first+1 < s.to && r.tokens[s.first+1].Kind > lexicon.Name {
		s.listed = true
		for s.first++; s.first+1 < s.to && !r.tokens[s.first].IsWord(); s.first++ {
		}
	}
}

func (r *reading) token(i int) string { return r.text[r.tokens[i].Start:r.tokens[i].End] }

// slice is the text from one token to the end of another, exclusive.
func (r *reading) slice(from, to int) string {
	if from >= to {
		return ""
	}
	return strings.TrimSpace(r.text[r.tokens[from].Start:r.tokens[to-1].End])
}

// isQuoted reports whether the token stands in a quotation.
func (r *reading) isQuoted(i int) bool { return !r.quoted && r.tokens[i].Has(lexicon.Quoted) }

// skippable marks stand between the words of a verb group: **, _, emoji, dots
// that end nothing.
func (r *reading) skippable(i int) bool {
	return r.tokens[i].Kind == lexicon.Symbol || r.tokens[i].Kind == lexicon.End
}
