// Package reading answers one question: what does this text say, clause by
// clause?
//
// A text is read once into [Sentence]s, and each sentence into [Clause]s: what
// the verb is, who acts, whether it is stated, asked, planned, possible or
// denied, and how the verb is used ("I've moved", "was moved", "is open",
// "Moved to Friday"). Beside them stand the [Value]s that a text names: ids,
// numbers, dates, times, names, quoted titles. Records are read for values by
// the same code, so that "9 pm" and "21:00" are one value wherever they stand:
//
//	text := reading.English().Read(nil, "I've moved BK-5590 to Sunday.")
//	text.Clauses[0].Shape  // reading.ActivePerfect
//	text.Clauses[0].Actor  // reading.Us
//	text.Values[0].Kind    // reading.ID
//
// Reading is pure and takes time linear in the text. It does not judge: whether
// a clause is a claim, and whether it is true, is for its users to say. The
// part that words play in a sentence is data, in the folder of that name.
package reading
