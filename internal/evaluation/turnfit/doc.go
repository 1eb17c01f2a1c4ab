// Package turnfit answers one question: which models judge turns best, and how well do they
// judge turns that they have not seen?
//
// It fits the models of package completion to labelled turns ([Own], [Recorded]), and
// measures what the whole evaluator makes of turns that were left out ([Figures]).
package turnfit
