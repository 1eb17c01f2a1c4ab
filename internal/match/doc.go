// Package match answers one question: does this record back this sentence?
//
// It is the only place where words meet records. A [Turn] holds the records of a
// conversation, each read once into its values and its acts. A sentence is read into its
// claims ([Read]), and [Turn.Shown] relates one to the records that are said to show it:
//
//	turn := match.NewTurn(tools, match.Words{User: …}, earlier, records)
//	for _, claim := range match.Read(sentence) {
//		finding := turn.Shown(claim, cited)
//		finding.Relation // Backs, Contradicts or Silent
//		finding.Said     // the value or the word that decided, as the sentence has it
//		finding.Recorded // and as the record has it
//	}
//
// A record backs a claim that shares a value or the act with it and says nothing else of
// the same kind. It contradicts one with another act, with another value of a kind
// (amount, date, id, name, count, state) in its arguments or its result, or because it
// did not succeed. A value that it lacks says nothing. Reads never back a change.
//
// A Turn is made for one check and used by one goroutine. [Tools] are immutable.
package match
