// Package logfile answers one question: which JSON values does this file hold?
//
// [Open] opens a file and unpacks it, whatever its name; [Read] hands out its
// values one by one, whether they are JSON Lines, elements of an array or a
// document, with the line on which each begins:
//
//	reader, closer, err := logfile.Open(name, os.Stdin)
//	err = logfile.Read(reader, func(p logfile.Piece) bool { … })
//
// A damaged line costs that line only. Memory is bounded by [MaxValue], whatever
// the file holds. What the values mean, package formats knows.
package logfile
