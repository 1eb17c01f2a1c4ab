package completion

import (
	"github.com/bonafide-go/bonafide/internal/leak"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Sentence is a piece of a text between full stops, lines or semicolons.
type Sentence struct {
	// Start and End are its bytes in the text: text[Start:End].
	Start, End int
	// Reports is true when a clause of it tells of something done, tried or looked up, or of a state that this may
	// have brought about: what may be false about a turn. Questions, offers, plans and advice do not.
	Reports bool
}

// Sentences cuts a text into its sentences by the reading of [Evaluator.Evaluate], and says
// which of them report work. Quotation marks or a code block around the whole text are
// passed over. Letters in disguise stay as they are, so that offsets are those of the text.
func Sentences(text string) []Sentence {
	read := reading.English().Borrow(reading.Undress(text))
	defer read.Return()
	sentences := make([]Sentence, len(read.Sentences))
	for i := range read.Sentences {
		s, made := &read.Sentences[i], &sentences[i]
		made.Start, made.End = s.Start, s.End
		for k := s.First; k < s.Last; k++ {
			made.Reports = made.Reports || read.Asserts(&read.Clauses[k], s) && !read.IsFrame(s, turned)
		}
	}
	return sentences
}

// Leak is a tool call that a model wrote as text instead of making it. The zero value is none.
type Leak struct {
	// Tool is the tool's name, where one can be read.
	Tool string
	// Rule names the pattern that found it.
	Rule string
}

// Found reports whether there is a leak.
func (l Leak) Found() bool { return l.Rule != "" }

// FindLeak looks for a tool call in a text: fenced or bare JSON, tags and special tokens of the common chat
// templates, tool_code blocks, lines that are a call of one of the tools. A text that speaks about calls, or shows
// one inside a sentence, is none: a call that is meant to run begins a line.
func FindLeak(text string, tools []tooltrack.Tool) Leak {
	if !leak.May(text) {
		return Leak{}
	}
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	return Leak(leak.Find(text, names))
}
