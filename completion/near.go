package completion

import (
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/internal/vector"
)

// nearness is how near words point to tools: to the nearest of those that were called, by what became of the calls,
// and to the nearest that would change something and was not called. A text that points past all calls to another
// tool tells of what that tool would have done.
type nearness struct {
	called [numFates]float32
	missed float32
}

// far is how near words are where no tool was called. A tool that was not called says
// nothing before words are as near to it as aloof: it may have nothing to do with them.
const far, aloof = -4, 2

func farAway() nearness {
	return nearness{called: [numFates]float32{far, far, far, far, far}, missed: aloof}
}

// near says to which tools words point.
func (c *conversation) near(words []lexicon.Token) nearness {
	heading := vector.NewHeading(vector.English(), vector.Sum{})
	for i := range words {
		if words[i].Kind == lexicon.Word && !words[i].Has(lexicon.Quoted) {
			heading.Say(&words[i])
		}
	}
	point, n := heading.Vector(), farAway()
	for _, t := range c.used {
		near := point.Times(&t.toward)
		for g := range n.called {
			if t.grounds>>g&1 != 0 {
				n.called[g] = max(n.called[g], near)
			}
		}
	}
	for i := range c.tools {
		if t := &c.tools[i]; t.changes && t.called == 0 {
			n.missed = max(n.missed, point.Times(&t.toward))
		}
	}
	return n
}

// made is how near the nearest tool is whose call succeeded in this turn.
func (n *nearness) made() float32 { return max(n.called[fateChanged], n.called[fateRead]) }

// open is how near the nearest tool is whose call failed or has not ended.
func (n *nearness) open() float32 { return max(n.called[fateFailed], n.called[fatePending]) }

// readToward notes where the words of a tool's name and description point. Those of the description were read last.
func (c *conversation) readToward(t *toolFacts, name []string, description string) {
	c.bearings = c.bearings[:0]
	c.lemmas = c.lemmas[:0]
	words, strange := len(name), 0
	for _, word := range name {
		if entry := c.language.Lookup(word); entry != nil {
			c.lemmas = append(c.lemmas, entry.ID)
		} else {
			strange++
		}
	}
	for i := range c.scratch {
		v := &c.scratch[i]
		if v.IsContent() {
			c.bearings.AddWord(vector.Tool, v.Entry, v.String())
			words++
			strange += int(is(v.Entry == nil))
		}
	}
	c.bearings.AddTool(t.Families, !t.changes || t.Families.Without(toolname.Answering).Empty(), c.lemmas)
	t.toward = vector.English().Toward(c.bearings)
	for i := range t.toward { // what a strange tool is for, few of its words can say
		t.toward[i] *= float32(words-strange) / float32(max(words, 1))
	}
}
