// Package match answers one question: does this record back this sentence?
//
// It is the only place where words meet records. A [Turn] holds the records of a
// conversation, each read once into its values and its acts, and a sentence is read into its
// claims:
//
//	turn := match.NewTurn(tools, offered, words, earlier, records)
//	shown, finding := turn.Shows(sentence, cited) // by what it was decided, as both have it
//
// A record backs a claim that shares a value or the act with it and says nothing else of
// the same kind. It contradicts one with another act, with another value of a kind
// (amount, date, id, name, count, state) in its arguments or its result, or because it
// did not succeed. A value that it lacks says nothing. Reads never back a change.
//
// A Turn is made for one check and used by one goroutine. [Tools] are immutable.
package match
