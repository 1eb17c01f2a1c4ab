package proof

import (
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/reading"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What was read shows how things are if it speaks of them, and if it does not become
// true only by a call that failed after it.

// looked checks that an item which rests on what was read is shown by it.
func (c *checker) looked(i int) {
	item, n := &c.report.Items[i], i+1
	if item.Status != Answered || c.faulted[n] {
		return
	}
	if number := c.overtaken(item.What, item); number != 0 {
		c.fault("not succeeded", n, "item %d: %s does not say so, and #%d, which was to bring it about, did not succeed",
			n, numbered(item.Records), number)
	} else if state := c.otherState(item); state != "" {
		c.fault("contradicted", n, "item %d: %s says %s", n, numbered(item.Records), oneLine(state, 60))
	} else if said, other := c.lookedElsewhere(item); said != "" {
		c.fault("contradicted", n, "item %d: it says %s, and %s was about %s; tell that, or both if they are the same",
			n, oneLine(said, 60), numbered(item.Records), oneLine(other, 60))
	} else if c.strange(item) {
		c.fault("unshown value", n, "item %d: %s says nothing of %s", n, numbered(item.Records), oneLine(item.What, 80))
	}
}

// overtaken is the number of a change that failed after all that an item cites was read,
// and that alone would have made true what a text says: the text has its act, or one of
// its values, and what was read has not. It is 0 if there is none.
func (c *checker) overtaken(text string, item *Item) int {
	cited := c.turn.List.Cited(item.Records)
	if len(cited) == 0 || slices.ContainsFunc(cited, c.mayChange) || c.known.hedged(text) {
		return 0
	}
	for number := max(slices.Max(item.Records), c.turn.List.earlier) + 1; number <= c.turn.List.Len(); number++ {
		failed := c.turn.List.Record(number)
		if failed.Succeeded() || !c.mayChange(failed) || c.madeGood(number) {
			continue
		}
		if c.known.overlap(text, string(failed.Args)) && c.hasOnly(text, failed, cited) {
			return number
		}
	}
	return 0
}

// hasOnly reports whether a text tells an act or a value of a call that none of the
// reads gives.
func (c *checker) hasOnly(text string, failed *tooltrack.Record, reads []*tooltrack.Record) bool {
	acts, tried := lexicon.Families{}, c.known.toldIn(textOf(failed))
	if tool := c.tools[failed.Tool]; tool != nil {
		acts = tool.Families
	}
	values := slices.Clone(c.known.values(text))
	given, told := keys{}, lexicon.Families{}
	for _, record := range reads {
		for _, v := range c.known.values(c.known.saysOf(record, values)) {
			given[v.Key] = true
			if v.Entry != nil {
				told = told.Union(v.Entry.Families)
			}
		}
	}
	return slices.ContainsFunc(values, func(v reading.Value) bool {
		if given[v.Key] || v.Has(reading.Derived|reading.Merged) {
			return false
		}
		act := v.Entry != nil && v.Entry.Families.Overlaps(acts) && !told.Overlaps(acts)
		return act || tried[v.Key] && v.Kind != reading.Word
	})
}

// otherState is the state that what was read gives of the one thing that an item tells of,
// if it excludes what the item says: just this as false, the opposite, or one that waits
// where the item tells of something done.
func (c *checker) otherState(item *Item) string {
	cited := c.turn.List.Cited(item.Records)
	if len(cited) != 1 || c.mayChange(cited[0]) || c.known.hedged(item.What) {
		return ""
	}
	values := slices.Clone(c.known.values(item.What))
	object := cited[0].Result.Data
	switch rows := c.known.rowsOf(cited[0], values); {
	case len(rows) > 1:
		return ""
	case len(rows) == 1:
		object = rows[0].object
	}
	members, told := leafList(object), keys{}
	told.add(values)
	for _, name := range denied(nil, object, 0) {
		if count(members, name) == 1 && c.known.meets(name, told) {
			return name + ": false"
		}
	}
	acts, open := c.known.statesIn(values, cited[0])
	if !open {
		return ""
	}
	happened := c.known.tellsAct(item.What)
	for _, member := range members {
		if !stateKeys[member.key] || c.known.meets(member.value, told) || count(members, member.key) > 1 {
			continue
		}
		is := familiesOf(member.value)
		opposite := toolname.Opposites(is).Overlaps(acts) && !is.Overlaps(acts)
		if opposite || happened && c.known.reader.Waits(member.value) {
			return member.value
		}
	}
	return ""
}

// statesIn are what the words of an item mean that a state may be the opposite of. They
// are not open where a call gives one of them as a state, if not as the one that it calls
// so.
func (k *knowledge) statesIn(values []reading.Value, record *tooltrack.Record) (acts lexicon.Families, open bool) {
	says := k.toldIn(textOf(record))
	for _, v := range values {
		if v.Entry == nil || v.Kind != reading.Word {
			continue
		}
		if says[v.Key] && v.Entry.Form.Has(lexicon.Participle) && !v.Entry.Form.Has(lexicon.Noun) {
			return acts, false
		}
		acts = acts.Union(v.Entry.Families)
	}
	return acts, true
}

// denied are the names of the members of an object, and of objects in it, that are false.
func denied(names []string, data []byte, depth int) []string {
	for name, member := range jsonspan.Members(data) {
		switch kind := jsonspan.KindOf(member); {
		case kind == jsonspan.Object && depth < 8:
			names = denied(names, member, depth+1)
		case string(member) == "false":
			names = append(names, strings.ToLower(string(jsonspan.Key(name))))
		}
	}
	return names
}

// count is how many members have a name.
func count(members []leaf, name string) (n int) {
	for _, member := range members {
		if member.key == name {
			n++
		}
	}
	return n
}

// familiesOf are what the words of a state mean.
func familiesOf(state string) (acts lexicon.Families) {
	for _, token := range lexicon.English().Tokenize(nil, state) {
		acts = acts.Union(token.Families())
	}
	return acts
}

// rowsOf are the objects in the lists of a call that have one of some values that are no
// words.
func (k *knowledge) rowsOf(record *tooltrack.Record, values []reading.Value) (rows []entry) {
	for _, list := range k.appendListings(nil, record.Result.Data, 0) {
		for i := range list {
			has := func(v reading.Value) bool { return v.Kind != reading.Word && list[i].words[v.Key] }
			if slices.ContainsFunc(values, has) {
				rows = append(rows, list[i])
			}
		}
	}
	return rows
}

// saysOf is what these say, or all that the call says where there are none.
func (k *knowledge) saysOf(record *tooltrack.Record, values []reading.Value) string {
	var text strings.Builder
	for _, row := range k.rowsOf(record, values) {
		for _, member := range row.members {
			text.WriteString(member.value)
			text.WriteByte('\n')
		}
	}
	if text.Len() == 0 {
		return textOf(record)
	}
	return text.String()
}

// strange reports whether an item gives an id or a figure, and the calls that it cites,
// which read something, have not a word of it, nor has their tool.
func (c *checker) strange(item *Item) bool {
	cited := c.turn.List.Cited(item.Records)
	empty := func(r *tooltrack.Record) bool {
		return c.mayChange(r) || jsonspan.KindOf(r.Result.Data) != jsonspan.Object
	}
	if len(cited) == 0 || slices.ContainsFunc(cited, empty) {
		return false
	}
	shows := keys{}
	for _, record := range cited {
		shows.add(c.known.values(textOf(record)))
		for _, source := range [][]byte{record.Args, record.Result.Data} {
			for name := range leaves(source) {
				shows.add(c.known.values(name))
			}
		}
		for i := range c.turn.Tools {
			if c.turn.Tools[i].Name == record.Tool {
				shows.add(c.known.values(c.turn.Tools[i].Description))
			}
		}
	}
	values := c.known.content(item.What)
	if slices.ContainsFunc(values, func(v reading.Value) bool { return shows[v.Key] }) {
		return false
	}
	for i := range values {
		if c.known.ofDecimal(item.What, &values[i], nil) {
			continue
		}
		if values[i].Kind == reading.ID || i > 0 && numbers(&values[i-1], &values[i], item.What) {
			return true
		}
	}
	return false
}

// numbers reports whether a figure numbers the thing before it: "card 4417", but not "put
// 300 aside".
func numbers(thing, figure *reading.Value, text string) bool {
	verb := thing.Entry != nil && !thing.Entry.Families.Empty() && !thing.Entry.Form.Has(lexicon.Noun)
	counts := figure.Kind == reading.Number && figure.Number > 12 && !figure.Has(noCount|reading.Money)
	return counts && !verb && figure.Start() > thing.End() && beside(thing, figure, text)
}
