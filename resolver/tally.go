package resolver

// A tally says how often a text holds each letter and digit: sixteen counters
// of four bits, of which the highest is kept free for arithmetic. A counter
// stops at seven, and seldom letters share one, so that two tallies never
// differ more than their texts. They decide in a few instructions that most
// titles are not worth a closer look.
type tally uint64

const (
	tallyTops tally = 0x8888_8888_8888_8888
	// fullTally is that of a text whose letters were not counted: it lacks none.
	fullTally tally = 0x7777_7777_7777_7777
)

// Letters of one counter. The letters e, i, s and y are not counted: they come
// and go with the forms of a word.
var tallyGroups = [...]string{
	"a", "t", "o", "n", "rj", "lq", "dz", "hx", "uv", "ck", "mw", "pf", "gb", "0369", "147", "258",
}

// tallyOne is one letter more, in either case.
var tallyOne = func() (table [256]tally) {
	for i, group := range tallyGroups {
		for _, c := range []byte(group) {
			table[c] = 1 << (4 * i)
			if c >= 'a' {
				table[c-'a'+'A'] = table[c]
			}
		}
	}
	return table
}()

// lacking counts the letters of t that another text has not, or has not as
// often.
func (t tally) lacking(other tally) int {
	const bytes = 0x0f0f_0f0f_0f0f_0f0f
	d := (t | tallyTops) - other // the top bit stays where t has as many or more
	more := d & tallyTops
	d &= more - more>>3
	d = d&bytes + d>>4&bytes
	return int(d * 0x0101_0101_0101_0101 >> 56)
}

// plus adds another tally, whose counters are eight at most.
func (t tally) plus(other tally) tally {
	t += other
	over := t & tallyTops
	return (t | (over - over>>3)) &^ tallyTops
}

// tallyEight counts eight bytes, of which those that are zero count nothing.
func tallyEight(x uint64) tally {
	a := tallyOne[byte(x)] + tallyOne[byte(x>>8)] + tallyOne[byte(x>>16)] + tallyOne[byte(x>>24)]
	b := tallyOne[byte(x>>32)] + tallyOne[byte(x>>40)] + tallyOne[byte(x>>48)] + tallyOne[byte(x>>56)]
	return a + b
}

// tallyWord counts the letters of a folded word.
func tallyWord(word []byte) (t tally) {
	for ; len(word) > 8; word = word[8:] {
		t = t.plus(tallyEight(firstEight(word)))
	}
	return t.plus(tallyEight(firstEight(word)))
}

// tallyOf counts the letters of a raw title. That of a title that is not ASCII
// is full.
func tallyOf(title string) (t tally) {
	if len(title) < 8 {
		return tallyEnd(firstEightOf(title), 0, 0)
	}
	end, seen := eightOf(title[len(title)-8:]), uint64(0)
	for ; len(title) > 8; title = title[8:] {
		x := eightOf(title)
		seen |= x
		t = t.plus(tallyEight(x))
	}
	return tallyEnd(end>>(64-8*uint(len(title))), seen, t)
}

// tallyEnd adds the last bytes of a title, unless one that was seen is not
// ASCII.
func tallyEnd(x, seen uint64, t tally) tally {
	if (x|seen)&byteTops != 0 {
		return fullTally
	}
	return t.plus(tallyEight(x))
}
