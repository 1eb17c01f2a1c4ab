package intent

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"math"
	"strings"

	"github.com/bonafide-go/bonafide/internal/hashtable"
	"github.com/bonafide-go/bonafide/internal/lexicon"
)

// People rarely ask in a tool's own words: "take it off" for delete_item, "how full
// is" for get_level. Which words ask for which sort of tool holds from one set of
// tools to the next, so it is learned: each word of a message, and each word by which
// a tool is described, has a vector, and a message is the nearer to a tool the more
// the sums of their vectors point the same way.

const (
	// vectorSize is how many numbers a vector has.
	vectorSize = 64
	// vectorUnit is what 1 is written as: fitted vectors are kept in bytes.
	vectorUnit = 40
	// vectorScale turns what two sums have in common into a log-odds.
	vectorScale = 3
	// describing is how much a word of a tool's description or of an argument's name
	// counts beside one of the tool's name.
	describing = 0.5
)

// vector is a sum of fitted vectors.
type vector [vectorSize]float32

// times is the product of two vectors. Four sums do not wait for one another.
func (v *vector) times(other *vector) float32 {
	var a, b, c, d float32
	for i := 0; i < vectorSize; i += 4 {
		a += v[i] * other[i]
		b += v[i+1] * other[i+1]
		c += v[i+2] * other[i+2]
		d += v[i+3] * other[i+3]
	}
	return a + b + (c + d)
}

// vectors are those fitted for English, by what has one.
type vectors struct {
	numbers hashtable.Table[int32] // by key
	fitted  []lanes                // by number; the first is of nothing
}

// lanes hold the numbers of a fitted vector, or of a sum of them, four to a word and
// each with laneZero added, so that four are added at a time.
type lanes [vectorSize / 4]uint64

const (
	laneZero = 128
	// mostAdded is how many vectors may be added before a lane runs over.
	mostAdded = 255
)

// at is the i-th number of a sum of n vectors.
func (l *lanes) at(i, n int) float32 {
	return float32(int(l[i/4]>>(i%4*16)&0xFFFF) - laneZero*n)
}

// bearer is what a vector is of.
type bearer uint64

const (
	ofWord     bearer = iota + 1 // a word of a message
	ofPair                       // two words of a message side by side
	ofPrevious                   // a word of the assistant's text before
	ofTool                       // a word of a tool's name or description
	ofArgument                   // a word of an argument's name
	ofAct                        // what a tool does
)

// bearerNames are as data/vectors.txt has them.
var bearerNames = map[string]bearer{
	"word": ofWord, "pair": ofPair, "previous": ofPrevious, "tool": ofTool, "argument": ofArgument, "act": ofAct,
}

// Acts beside the families: that a tool only answers, or not.
const actAnswers, actChanges = "answers", "changes"

// key is that of a word: by its lemma, or by its letters where it is not listed. 0 is
// that of numbers and of the host's own words, which have no vector.
func (of bearer) key(entry *lexicon.Entry, hash uint64) uint64 {
	switch {
	case entry == nil:
		return uint64(of)<<60 | hash>>4
	case entry.ID < 0:
		return 0
	}
	return of.keyOfLemma(entry.ID)
}

func (of bearer) keyOfLemma(lemma int32) uint64 { return uint64(of)<<60 | 1<<59 | uint64(lemma) }

// pairKey is that of two words with these numbers.
func pairKey(a, b int32) uint64 {
	if a == 0 || b == 0 {
		return 0
	}
	return uint64(ofPair)<<60 | uint64(a)<<28 | uint64(b)
}

// actKey is that of what a tool does.
func actKey(name string) uint64 { return ofAct.key(nil, lexicon.Hash(name)) }

//go:embed data/vectors.txt
var fittedVectors string

// parseVectors reads the fitted vectors: a line holds what one is of, one or two words,
// and its numbers as bytes.
func parseVectors(language *lexicon.Language, text string) (*vectors, error) {
	n := strings.Count(text, "\n")
	v := &vectors{numbers: hashtable.New[int32](n), fitted: make([]lanes, 1, n+1)}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Fields(line)
		bytes, err := base64.RawStdEncoding.DecodeString(fields[len(fields)-1])
		key := uint64(0)
		if len(fields) > 2 {
			key = v.keyOf(language, fields[0], fields[1:len(fields)-1])
		}
		if err != nil || len(bytes) != vectorSize || key == 0 {
			return nil, fmt.Errorf("the fitted vectors have no bearer, word and %d numbers in %q", vectorSize, line)
		}
		var numbers lanes
		for i, b := range bytes {
			numbers[i/4] |= uint64(laneZero+int(int8(b))) << (i % 4 * 16)
		}
		v.numbers.Put(key, int32(len(v.fitted)))
		v.fitted = append(v.fitted, numbers)
	}
	return v, nil
}

// keyOf is the key of what a line names, 0 if it names nothing.
func (v *vectors) keyOf(language *lexicon.Language, name string, words []string) uint64 {
	of := bearerNames[name]
	keyed := func(of bearer, word string) uint64 { return of.key(language.Lookup(word), lexicon.Hash(word)) }
	switch {
	case of == ofPair && len(words) == 2:
		return pairKey(v.numbers.Find(keyed(ofWord, words[0])), v.numbers.Find(keyed(ofWord, words[1])))
	case of == 0 || of == ofPair || len(words) != 1:
		return 0
	case of == ofAct:
		return actKey(words[0])
	}
	return keyed(of, words[0])
}

// number is that of a word's vector, 0 if there is none.
func (v *vectors) number(of bearer, token *lexicon.Token) int32 {
	key := of.key(token.Entry, token.Hash)
	if key == 0 {
		return 0
	}
	return v.numbers.Find(key)
}

// bearing is what of a tool has a vector, and how much it counts.
type bearing struct {
	key    uint64
	weight float32
}

// bear notes a word of the tool.
func (r *profiler) bear(of bearer, entry *lexicon.Entry, word string, weight float32) {
	key := of.key(entry, 0)
	if entry == nil {
		key = of.key(nil, lexicon.Hash(lexicon.Fold(word)))
	}
	r.bearKey(key, weight)
}

func (r *profiler) bearKey(key uint64, weight float32) {
	for i := range r.bearings {
		if b := &r.bearings[i]; b.key == key {
			b.weight = max(b.weight, weight)
			return
		}
	}
	if key != 0 {
		r.bearings = append(r.bearings, bearing{key, weight})
	}
}

// bearTool notes what the tool does, and the words of its name.
func (r *profiler) bearTool() {
	p := r.profile
	for f := p.acts.Next(lexicon.NoFamily); f != lexicon.NoFamily; f = p.acts.Next(f) {
		r.bearKey(actKey(f.String()), 1)
	}
	if p.info {
		r.bearKey(actKey(actAnswers), 1)
	} else {
		r.bearKey(actKey(actChanges), 1)
	}
	for _, lemma := range p.words {
		r.bearKey(ofTool.keyOfLemma(lemma), 1)
	}
}

// toward is the sum of the tool's vectors, of about the same length for every tool.
func (v *vectors) toward(bearings []bearing) (sum vector) {
	length := 0.5
	for _, b := range bearings {
		number := v.numbers.Find(b.key)
		if number == 0 {
			continue
		}
		length += float64(b.weight * b.weight)
		for i := range sum {
			sum[i] += b.weight * v.fitted[number].at(i, 1)
		}
	}
	scale := float32(vectorScale / (vectorUnit * vectorUnit * math.Sqrt(length)))
	for i := range sum {
		sum[i] *= scale
	}
	return sum
}

// sum is one of vectors of words, each counted once.
type sum struct {
	lanes
	words int
}

// heading is where the words of a message point.
type heading struct {
	before sum // of the assistant's text before
	sum
	used  []uint32 // by number: the round in which a vector was added last
	round uint32
}

// begin begins a sum with another.
func (h *heading) begin(with sum) {
	h.sum = with
	h.round++
}

// add adds the vector with a number, once for each text.
func (h *heading) add(v *vectors, number int32) {
	if number == 0 || h.used[number] == h.round || h.words == mostAdded {
		return
	}
	h.used[number] = h.round
	h.words++
	for i, four := range &v.fitted[number] {
		h.lanes[i] += four
	}
}

// nextAsking is the first token from i on that may ask for something. "Thank you"
// does not, nor do the words of a title: "remind me to cancel the gym" cancels nothing.
func (r *reader) nextAsking(i int) int {
	for i < len(r.Tokens) {
		n := r.polite(i)
		for k := range r.Requests {
			if q := &r.Requests[k]; q.Body <= i && i < q.To && i > q.Verb && q.Families.Overlaps(entitled) {
				n = q.To - i
			}
		}
		if token := &r.Tokens[i]; n == 0 && token.Kind == lexicon.Word && !token.Has(lexicon.Quoted) {
			return i
		}
		i += max(n, 1)
	}
	return i
}

// headBefore adds up the words of the assistant's text before.
func (c *Classifier) headBefore(s *scratch) {
	if c.vectors == nil {
		return
	}
	h := &s.heading
	h.begin(sum{})
	for i := range s.reader.Tokens {
		if token := &s.reader.Tokens[i]; token.Kind == lexicon.Word {
			h.add(c.vectors, c.vectors.number(ofPrevious, token))
		}
	}
	h.before = h.sum
}

// head adds up the words of the message and of the text before, and says how near
// each tool is to where they point.
func (c *Classifier) head(s *scratch) {
	clear(s.nearness)
	if c.vectors == nil {
		return
	}
	r, h, before := &s.reader, &s.heading, int32(0)
	h.begin(h.before)
	for i := r.nextAsking(0); i < len(r.Tokens); i = r.nextAsking(i + 1) {
		number := c.vectors.number(ofWord, &r.Tokens[i])
		h.add(c.vectors, number)
		if pair := pairKey(before, number); pair != 0 {
			h.add(c.vectors, c.vectors.numbers.Find(pair))
		}
		before = number
	}
	scale := float32(1 / math.Sqrt(float64(h.words)+0.5))
	var message vector
	for i := range message {
		message[i] = scale * h.at(i, h.words)
	}
	for tool, p := range c.profiles {
		s.nearness[tool] = message.times(&p.toward)
	}
}
