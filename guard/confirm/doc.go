// Package confirm answers one question: is a change to be seen in the world?
//
// A tool's answer is a receipt, and what it says may never have been saved. A
// [tooltrack.Confirm] says how to look: a call of a tool that reads, and what must then hold.
//
//	Confirm: &tooltrack.Confirm{
//		Read:   "get_order(id = $args.id)",
//		Expect: "status = cancelled | refunded",
//	}
//
// Values are $args.name (an argument of the change), $result.name (a member of its
// result), plain words, numbers, or texts in quotes. Conditions are joined by commas; one
// on an argument that the call leaves out is skipped:
//
//	exists                           the read found something
//	absent                           it found nothing
//	order.status = paid | shipped    a member has one of these values
//	note exists                      a member is there; "absent" is the opposite
//	. contains $args.text            what was read, or a member, has a text in it
//	tasks has (id = $args.id)        an element of a list fits
//	tasks once (title = $args.title) exactly one does
//	lacks (id = $args.id)            none does; without a name, of what was read itself
//
// [New] reads the form into a [Plan]. [Plan.Call] is the call that reads, and [Plan.Judge]
// holds what it found against what must hold: confirmed, contradicted with what was found,
// or not confirmed where nothing can be told.
//
// A Plan is immutable and safe for concurrent use. The package runs nothing and waits for nothing.
package confirm
