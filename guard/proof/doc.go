// Package proof asks a model what its answer rests on, and checks what it says.
//
// The words of a text often do not show whether calls back it. So the sentences in
// doubt are put to the model under letters, beside a [List] of the calls with what they
// returned. For each [Letter] it answers with the numbers of the calls that show it, or
// that it needs no call, or that it is not so:
//
//	list := proof.NewList(earlier, records)
//	request := proof.Ask(list, letters, proof.CallsInvited) // goes to the model
//	answer, err := proof.Read(text, letters, list)          // {"a": [2], "b": "no call", "message": null}
//	result := proof.Check(answer, proof.Case{…})            // no faults: result.Text may be shown
//
// Nothing is restated, so nothing can be restated wrongly. [Check] holds each sentence
// against the calls that were named for it. Only the lettered sentences are checked, and
// what a corrected message adds to them.
//
// A needless question costs an honest model one call. A lying one has nothing to cite.
// What passes is backed by the records. Whether the tools told the truth about the
// world, it cannot show. If a model never answers, [Presume] says what the records
// settle by themselves.
//
// Everything in here is pure: nothing is called, stored or changed.
package proof
