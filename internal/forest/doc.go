// Package forest answers one question: how probable is it, by these numbers?
//
// A [Forest] is a sum of small decision trees over named features, fitted to labelled data by
// the module internal/evaluation. [Decode] reads the file of such a fit, which is embedded in
// the program:
//
//	forests, err := forest.Decode(fitted, "clause", "turn")
//	…
//	forests[0].Probability(features)
//
// A Forest is immutable and safe for concurrent use. It knows nothing of what its features mean;
// that the program computes them in the order of the file is for its user to compare.
package forest
