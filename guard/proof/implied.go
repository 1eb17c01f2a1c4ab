package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// A report that tells of every call what became of it, in the words of the calls, leaves
// one question open: which piece of the text each of them is for. Where a piece itself says
// so, nobody has to name it: it is taken as if it had been named with that call, and checked
// like any other item.

// implied adds an item for each piece that was asked about and that no item names, if the
// report accounts for all calls and the piece says which of them it is about.
func (c *checker) implied() {
	var numbers []int // of the calls, once a piece is left
	for i := range c.verdict.Claims {
		if !c.asked[i] || c.isNamed(i) {
			continue
		}
		if numbers == nil {
			if numbers = c.accounted(); numbers == nil {
				return
			}
		}
		for _, number := range numbers {
			if c.saysOfCall(i, c.turn.List.Record(number)) && c.accepts(c.fate(c.verdict.Claims[i].Text, number)) {
				break
			}
		}
	}
}

// isNamed reports whether an item without a fault names a claim.
func (c *checker) isNamed(i int) bool {
	for n := range c.report.Items {
		if !c.faulted[n+1] && c.related(n, i) {
			return true
		}
	}
	return false
}

// accounted are the numbers of the calls of the turn, or of those before it where it has
// none, if items without a fault cite each of them for what it was.
func (c *checker) accounted() (numbers []int) {
	first := c.turn.List.earlier
	if first == c.turn.List.Len() {
		first = 0
	}
	for number := first + 1; number <= c.turn.List.Len(); number++ {
		if !c.isCited(number) {
			return nil
		}
		numbers = append(numbers, number)
	}
	return numbers
}

// isCited reports whether an item without a fault cites a call for what it was.
func (c *checker) isCited(number int) bool {
	fate := c.fate("", number).Status
	for n := range c.report.Items {
		item := &c.report.Items[n]
		same := item.Status == fate || item.Status == Answered && fate == Done
		if same && !c.faulted[n+1] && slices.Contains(item.Records, number) {
			return true
		}
	}
	return false
}

// saysOfCall reports whether a claim says that it is about a call: all ids, figures, times
// and names that it gives are those of the call, or else half of its words are, and so is
// something of each of its clauses. What only the user says is what was wanted. In another
// language nobody can read what is told of the call: then it must have succeeded, and the
// claim give something of its result where it only read.
func (c *checker) saysOfCall(i int, record *tooltrack.Record) bool {
	claim := c.verdict.Claims[i].Text
	if !c.mayChange(record) && c.known.tellsAct(claim) && !c.known.tellsLook(claim) {
		return false
	}
	held := c.known.toldIn(textOf(record) + "\n" + c.wordsOf(record))
	specific, news, said, all := false, false, 0, 0
	for _, v := range c.known.content(claim) {
		if v.Has(reading.Derived | reading.Merged | reading.Worded) {
			continue
		}
		name := v.Kind == reading.Word && v.Entry == nil && capital(&v, claim) && !beginsSentence(claim, int(v.Start))
		switch word := v.Kind == reading.Word && (!name || c.foreign); {
		case held[v.Key]:
			specific, news = specific || !word, news || !c.known.said[v.Key]
			said++
		case !word || !c.foreign && c.mayChange(record) && c.known.said[v.Key] && v.IsContent() && !acts(&v):
			return false
		}
		all++
	}
	if c.foreign {
		return specific && c.came(record) && (news || c.mayChange(record))
	}
	return (specific || 2*said >= all) && c.eachClause(claim, held)
}

// acts reports whether a word is no thing: a verb, or how something is.
func acts(v *reading.Value) bool {
	return v.Entry != nil && !v.Entry.Form.Has(lexicon.Noun|lexicon.Plural) && v.Entry.Form != 0
}

// eachClause reports whether each clause of a text that tells something has a word of some.
func (c *checker) eachClause(text string, held keys) bool {
	read := c.known.read(text)
	return !slices.ContainsFunc(read.Clauses, func(clause reading.Clause) bool {
		without := !slices.ContainsFunc(read.Values, func(v reading.Value) bool {
			inside := int(v.Start) >= clause.Start && int(v.End) <= clause.End
			return inside && held[v.Key] && (v.Kind != reading.Word || v.IsContent())
		})
		return clause.Verb >= 0 && without
	})
}

// wordsOf are the words by which a tool and the members of a call are called.
func (c *checker) wordsOf(record *tooltrack.Record) string {
	var words strings.Builder
	for _, source := range [][]byte{record.Args, record.Result.Data} {
		for name := range leaves(source) {
			words.WriteString(strings.ReplaceAll(name, "_", " "))
			words.WriteByte('\n')
		}
	}
	for i := range c.turn.Tools {
		if c.turn.Tools[i].Name == record.Tool {
			words.WriteString(c.turn.Tools[i].Description)
		}
	}
	return words.String()
}

// accepts adds an item to the report if nothing is wrong with it.
func (c *checker) accepts(item Item) bool {
	faults, n := len(c.faults), len(c.report.Items)
	if item.Status != Answered {
		item.Records = c.turn.List.withLaunches(item.Records)
	}
	subjects := keys{}
	subjects.add(c.known.content(item.What))
	c.report.Items, c.subjects = append(slices.Clip(c.report.Items), item), append(c.subjects, subjects)
	c.status(n)
	c.values(n)
	c.act(n)
	c.looked(n)
	c.paid(n)
	if len(c.faults) == faults {
		return true
	}
	delete(c.faulted, n+1)
	c.faults, c.report.Items, c.subjects = c.faults[:faults], c.report.Items[:n], c.subjects[:n]
	return false
}
