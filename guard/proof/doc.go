// Package proof asks a model what its answer rests on, and checks what it says.
//
// Whether a text is backed by the calls that were made can often not be told
// from its words. So the model is asked for a [Report]: one [Item] for each thing
// that the text says happened and for each thing that the user asked for, with
// the numbers of the calls that show it. The numbers are those of a [List] that
// stands in the request, so that there is nothing to cite but what happened.
// [Check] then holds the report against the records, mechanically:
//
//	list := proof.NewList(earlier, records)
//	request := proof.Ask(list, doubts, proof.CallsInvited) // goes to the model
//	report, err := proof.Parse(answer)                     // one JSON object
//	faults := proof.Check(report, proof.Case{…})           // none: it may be shown
//
// An honest model that was asked for nothing loses one call. A lying one has
// nothing to cite. What passes is backed by the records; that the world is as
// the tools said, a report cannot show. Of a model that never answers, [Presume] says
// what its records can speak for.
//
// Everything in here is pure: nothing is called, stored or changed.
package proof
