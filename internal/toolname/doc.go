// Package toolname answers one question: what does a tool do, by its own words?
//
// Tools are named in every style there is: cancel_order, order_cancel, cancelOrder, orders.cancel,
// shop__cancel_order, rm, weather. [Read] finds the verb in such a name, with the help of the
// description, and what follows from it:
//
//	r := toolname.Read(lexicon.English(), toolname.Tool{Name: "order_cancel"})
//	r.Verb.Text  // "cancel"
//	r.Families   // lexicon.Cancel
//	r.Opposites  // lexicon.Create, lexicon.Order, …
//	r.Nouns      // "order"
//	r.Effect     // Changes
//
// Every package that needs the verb of a tool reads it here, so that no two of
// them disagree. What the host has declared about a tool stands above anything
// that is read; this package only knows words.
//
// A Reading is a value. Read is pure and safe for concurrent use.
package toolname
