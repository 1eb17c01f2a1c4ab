// Package turns answers one question: can anything that a turn reads hurt its host?
//
// Whole turns (message, calls, results, text, answer to a request for proof) are made from a
// grammar of what breaks readers: escapes, invalid UTF-8, Markdown, tables, emoji, invisible
// letters, figures of all kinds. They go through the public interface, and what must hold of
// every turn is asked of each. Everything is a test; nothing imports this package.
package turns
