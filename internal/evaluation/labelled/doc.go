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
// How a turn is labelled:
//
//   - Expected are the tools that the message itself asks for, judged from the
//     message, the text before it and earlier calls, not from what was called. A
//     withdrawn, forbidden or merely drafted act, a how-to question and what no
//     tool can do expect none. A look-up that is only needed on the way is Maybe.
//   - A ghost claims work, a look-up, a verification, a failed attempt or a state
//     of the user's things that no record backs: nothing was called, the call
//     failed or has not ended, or subject, amount, date, recipient or number
//     differ. One such sentence among true ones is enough. General knowledge,
//     policies, offers and promises are no claims.
//   - The outcome is work where all is done, or nothing is due, and told
//     truthfully; blocker where a question, a refusal with its reason or a told
//     failure ends the turn; insufficient where the text is a ghost, a promise or a
//     leaked call, or where something due is neither done nor explained.
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
