// Evaluation fits the models of the packages completion and intent, and measures them:
//
//	go run ./internal/evaluation fit [completion|intent]
//	go run ./internal/evaluation measure [completion|intent]
//	go run ./internal/evaluation ablate [rows|features]
//
// fit writes {completion,intent}/data/{model,wording}.bin and internal/vector/data/vectors.bin,
// and beside this file fitted/, which tells what they were fitted to and how well they do;
// TestModelsAreCertified tells what has changed since. The same data gives the same files. The
// models of completion take two minutes of a processor, those of intent about six. measure
// tells how the evaluator and the classifier do on data that was left out while fitting.
// ablate tells what each rule, each excuse and each group of features changes on turns of
// domains that nothing was fitted to: what it costs to leave it out is what it earns.
//
// Each takes -recorded with a folder of recorded turns and requests, which are fitted to and
// measured beside those of the repository; -with-recorded=false only measures them. Where the
// folder is missing, the repository's own data is all there is: that doubles how many honest
// turns of recorded agents are asked for proof (turns_wild 7.6 to 14.1 %, turns_wire 12.6 to
// 23.5 %, measured on sources that were left out), so the shipped models of completion are
// fitted to both.
//
// The module holds the data, too: package labelled has whole turns, package requests has
// messages, package cast plays models of many characters. It is a module of its own so that
// nobody who uses the library downloads it, and it is never released; nothing that ships
// imports it. What a fit has to see of the packages it fits is in internal/fitting.
package main
