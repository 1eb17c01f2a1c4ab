package resolver

import "strings"

// The words that the resolver knows. They decide what may be missing and what
// is never a typing error; they are data, and every list is short on purpose:
// a word that stands here no longer tells titles apart.
const (
	// littleWords may stand in a reference though the title lacks them. Words
	// that turn a meaning round (on, off, in, out, not, or, before) do not
	// belong here.
	littleWords = `a an the my your our his her their its this that these those some
		of to for with at by from about and is are me it s`

	// leadingWords may come before a title: articles, possessives and
	// demonstratives of English and its neighbours.
	leadingWords = `a an the my your our his her their its this that these those some
		der die das den dem ein eine einen mein meine meinen
		le la les un une mon ma mes el los las una mi mis il lo gli i
		o os as um uma meu minha de het een mijn det en et min mit`

	// politeWords may stand before or after a title.
	politeWords = `please pls plz kindly thanks thank you bitte por favor sil vous plait per`

	// genericNouns stand for "entry" beside a title: "the X task", "my X one".
	genericNouns = `task todo item entry one thing ticket record`

	// namingWords join a generic noun and a title: "task called X".
	namingWords = `called named titled labeled labelled entitled`

	// distinctWords are spelled alike in part. Those of one line are never
	// typing errors of one another.
	distinctWords = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand
		first second third fourth fifth sixth seventh eighth ninth tenth last next
		monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun
		january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
		today tomorrow yesterday tonight day week month year hour minute morning noon evening night daily weekly monthly yearly
		on off in out up down over under left right top bottom front back before after with without
		open close start stop begin end enter exit
		import export input output upload download incoming outgoing inbound outbound
		include exclude increase decrease enable disable internal external inner outer
		public private local remote read write send receive push pull
		buy sell lend borrow give take new old big small hot cold high low long short
		mom dad mum mother father brother sister son daughter uncle aunt
		him her his she he they them we us you
		red green blue black white grey pink brown yellow orange`
)

// wordClass says in which lists a word stands.
type wordClass uint8

const (
	little wordClass = 1 << iota
	leading
	polite
	generic
	naming
)

// A knownWord is what the lists say about a word.
type knownWord struct {
	class wordClass
	group uint8 // of distinctWords, from 1; 0 is none
}

// A wordTable finds known words by the hash that every token has anyway. It is
// several times faster than a map, the more so for words that are not known.
type wordTable struct {
	seen  [128]uint64 // a bit for each hash, shared by many
	slots [1024]struct {
		hash uint64
		word knownWord
	}
}

// slot returns the place of a hash: its own, or the free one where it belongs.
func (t *wordTable) slot(hash uint64) int {
	i := int(hash) & (len(t.slots) - 1)
	for t.slots[i].hash != hash && t.slots[i].hash != 0 {
		i = (i + 1) & (len(t.slots) - 1)
	}
	return i
}

func (t *wordTable) find(hash uint64) knownWord {
	if t.seen[hash>>57]>>(hash>>51&63)&1 == 0 {
		return knownWord{}
	}
	return t.slots[t.slot(hash)].word
}

var knownWords = func() *wordTable {
	var table wordTable
	note := func(word string) *knownWord {
		hash := hashWord([]byte(word), false)
		slot := &table.slots[table.slot(hash)]
		slot.hash = hash
		table.seen[hash>>57] |= 1 << (hash >> 51 & 63)
		return &slot.word
	}
	for class, list := range map[wordClass]string{
		little: littleWords, leading: leadingWords, polite: politeWords,
		generic: genericNouns, naming: namingWords,
	} {
		for word := range strings.FieldsSeq(list) {
			note(word).class |= class
		}
	}
	group := uint8(0)
	for line := range strings.Lines(distinctWords) {
		group++
		for word := range strings.FieldsSeq(line) {
			note(word).group = group
		}
	}
	return &table
}()
