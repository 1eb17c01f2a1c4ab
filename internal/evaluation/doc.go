// Evaluation fits the models of the packages completion and intent, and measures them:
//
//	go run ./internal/evaluation fit [completion|intent]
//	go run ./internal/evaluation measure [completion|intent]
//	go run ./internal/evaluation ablate [rows|features]
//
// fit writes completion/data/model.txt, intent/data/model.txt, intent/data/wording.txt and
// internal/vector/data/vectors.txt. It fits to what is in the repository and gives the same
// files each time. measure tells how the evaluator and the classifier do on data that was
// left out while fitting. ablate tells what each rule and each group of features changes on
// turns of domains that nothing was fitted to: what it costs to leave it out is what it
// earns.
//
// Each takes -recorded with a folder of recorded turns and requests, which are measured
// (and, by fit -with-recorded, fitted to) beside those of the repository.
//
// The module holds the data, too: package labelled has whole turns, package requests has
// messages, package cast plays models of many characters. It is a module of its own so that
// nobody who uses the library downloads it, and it is never released; nothing that ships
// imports it. What a fit has to see of the packages it fits is in internal/fitting.
package main
