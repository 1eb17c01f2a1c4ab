package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
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

// saysOfCall reports whether a claim says that it is about a call that came to something: it
// gives an id, a figure, a time or a name that the result has and neither the user nor the
// call says, all others that it gives are of the call, too, as most of its words are, and
// each of its clauses has something of it. What only the user says is what was wanted, and a
// look is none of what was to be done. In another language, where no words can be compared,
// the ids and figures of the only call, a change, have to do.
func (c *checker) saysOfCall(i int, record *tooltrack.Record) bool {
	claim, changes := c.verdict.Claims[i].Text, c.mayChange(record)
	if !c.came(record) || !changes && (c.turn.Acting || c.known.tellsAct(claim) && !c.known.tellsLook(claim)) {
		return false
	}
	held := c.known.toldIn(textOf(record) + "\n" + c.wordsOf(record))
	found := c.compared(claim, record, held)
	switch only := c.turn.List.Len() == c.turn.List.earlier+1; {
	case found.stray:
		return false
	case c.foreign:
		return found.specific && (found.news || changes && only)
	}
	return found.news && 4*found.said >= 3*found.all && c.eachClause(claim, held)
}

// overlap is what a claim and a call have in common.
type overlap struct {
	specific  bool // an id, a figure, a time or a name
	news      bool // one that neither the user nor the arguments have
	stray     bool // the claim has one that the call has not, or a thing that only the user names
	said, all int  // words and others that the call has, and all of them
}

// compared compares a claim with what a call holds.
func (c *checker) compared(claim string, record *tooltrack.Record, held keys) (found overlap) {
	called := c.known.toldIn(string(record.Args))
	for _, v := range c.known.content(claim) {
		if v.Has(reading.Derived|reading.Merged) || v.Has(reading.Worded) && v.Number < 2 {
			continue
		}
		found.all++
		name := v.Entry == nil && capital(&v, claim) && !beginsSentence(claim, v.Start()) && !c.foreign
		specific := v.Kind != reading.Word || name
		if held[v.Key] {
			found.said++
			found.specific = found.specific || specific
			found.news = found.news || specific && !c.known.said[v.Key] && !called[v.Key]
			continue
		}
		wanted := !c.foreign && c.mayChange(record) && c.known.said[v.Key] && !acts(&v)
		found.stray = found.stray || specific || wanted
	}
	return found
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
			inside := v.Start() >= clause.Start && v.End() <= clause.End
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
			words.WriteString(toolname.InWords(name))
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
