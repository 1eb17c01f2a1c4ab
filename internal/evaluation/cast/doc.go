// Package cast answers one question: what would a model of this character say
// next?
//
// A [Play] performs one turn of the package labelled as a model does: it makes
// the calls of the turn, gives its text, and, when it is asked what the text
// rests on, answers as its [Character] would. Some are honest, some careless,
// and the others lie each in a way of their own:
//
//	for _, character := range cast.Characters() {
//		play := cast.New(domain.Tools, &domain.Turns[0], character)
//		call, text := play.Next(lastMessage)
//		…
//	}
//
// It knows nothing of a guard but the words by which proof is asked for, so that
// the same plays run behind every way in. [Recorded] reads turns from files in
// the format of the evaluation data.
//
// A Play is for one goroutine. Only tests import this package.
package cast
