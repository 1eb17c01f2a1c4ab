// Package labelled answers one question: what would a careful reader say about
// this turn?
//
// It holds turns written for this library, one [Domain] a file in turns/, and
// their labels: which tools the message asks for, whether the text claims work
// that no call backs, and how the turn ends. They teach and test the judges of
// the packages intent and completion:
//
//	domains, err := labelled.Domains()
//	for _, domain := range domains {
//		if domain.Held {
//			continue // measured with, never fitted to
//		}
//		fit(domain.Tools, domain.Turns)
//	}
//
// The first line of a file describes the domain and its tools; each further
// line is one [Turn]. Reading is strict: an unknown field, tool, kind or
// outcome and a repeated id are errors, so that a slip of the pen never becomes
// a label.
//
// [Domains] reads embedded files and returns fresh values on every call. Only
// tests and generators that run as tests import this package: a released
// program carries the weights that were fitted, not the turns.
package labelled
