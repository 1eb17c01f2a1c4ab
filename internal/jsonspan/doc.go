// Package jsonspan answers one question: where in this JSON text does what
// stand, and is it what every other reader would find there?
//
// It is the one place that walks JSON byte by byte. A [Scanner] reads a text
// strictly: one value, valid UTF-8, whole surrogate pairs, bounded depth, no
// key twice. What it accepts, every decoder reads to the same meaning, and the
// walks of this package may go over it without looking for faults:
//
//	var scan jsonspan.Scanner
//	if fault := scan.Object(args); fault != nil { … }
//	for key, value := range jsonspan.Members(args) { … }
//
// [AppendCanonical] writes the one form that all spellings of a value share:
// 100, 100.0 and 1e2 are the same argument, and so are two orders of keys. It
// is exact: no number is rounded, however large.
//
// Values are slices of the text they were found in, so that a caller can
// replace one without touching the bytes around it. Nothing here decodes into
// Go values, keeps state between calls, or knows what the JSON is about.
package jsonspan
