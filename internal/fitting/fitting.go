// Package fitting is the seam between the packages that judge and the module that fits their
// models, internal/evaluation: what a fit reads of them, and how it puts models in their place.
//
// Packages completion and intent fill in [Completion] and [Intent] when a program starts,
// so that none of it is part of what they offer to hosts. Nothing that ships reads either.
package fitting

import (
	"github.com/bonafide-go/bonafide/internal/vector"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// Completion is how package completion is fitted.
var Completion struct {
	// Features are the names of the features of a clause and of a turn, in order.
	Features func() (clause, turn []string)
	// Wording is the feature that the phrases of a clause make together.
	Wording             string
	Phrases, PhraseUnit int // how many weights there are, and how many parts of one
	// Rows are the names of the rules.
	Rows func() []string
	// Read reads a turn once, for as many fits as there are.
	Read func(Turn) TurnReading
	// Use makes evaluators that are built from now on judge by these models, those of the
	// files in data, and without some rules; none are the shipped ones. No other may judge.
	Use func(files [][]byte, withoutRows ...string) error
}

// Turn is a turn as package completion reads it.
type Turn struct {
	User, Previous, Text string
	Tools                []tooltrack.Tool
	Records, Earlier     []*tooltrack.Record
}

// TurnReading is what the models see of a turn.
type TurnReading interface {
	// Clauses are the features of each clause that states something, but for its wording.
	Clauses() [][]float32
	Phrases() [][]uint16 // what that is read from
	// Turn are the features of the turn, given how doubtful each clause is.
	Turn(doubts []float64) []float32
}

// Intent is how package intent is fitted.
var Intent struct {
	// EarlyTrees is how many of the trees that rank are walked for all tools.
	EarlyTrees int
	// NearShare is how much the nearness of a tool counts beside the trees that rank,
	// and MaxJudged how many of the first tools are asked about.
	NearShare float32
	MaxJudged int
	// Tools reads a set of tools.
	Tools func([]tooltrack.Tool) (ToolsReading, error)
	// Use makes classifiers that are built from now on use these models, as the files
	// in data have them; no trees are the models that are shipped.
	Use func(trees, wording []byte, vectors *vector.Set) error
}

// ToolsReading is what the models see of a set of tools.
type ToolsReading interface {
	// Bearings are what of each tool has a vector.
	Bearings() []vector.Bearings
	// Words are what of a message has one: "word cancel", "pair take off", "previous
	// sure"; none of a message in a language without a word list.
	Words(user, previous string) []string
	// Point makes [ToolsReading.Read] use these vectors.
	Point(*vector.Set)
	// Read reads a message.
	Read(user, previous string) MessageReading
}

// MessageReading is what the models see of a message.
type MessageReading struct {
	Foreign  bool        // it is in another language, or a courtesy alone
	Phrases  []uint64    // the keys of its words and pairs, as data/wording.bin has them
	Message  []float32   // the evidence of the message, whatever the tool
	Tools    []int       // those that are weighed
	Views    []int32     // the clauses that say most for them
	Evidence [][]float32 // for them
}
