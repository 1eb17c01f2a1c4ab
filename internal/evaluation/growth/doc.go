// Package growth answers one question: which trees tell these cases apart?
//
// It fits a [forest.Forest] to labelled cases by gradient boosting: each tree is
// fitted to what those before it got wrong. Trees are few and shallow, and each
// sees a part of the cases and of the features only, so that what is learnt from
// one domain holds in another:
//
//	table := growth.NewTable(features, 24)
//	f := growth.Options{Trees: 70, Depth: 6, Rate: 0.16}.Grow(names, table, labels, weights)
//
// Only tests that fit import this package: a released program carries the forests,
// not the fitting. The same cases and options give the same forest.
package growth
