// Package requestfit answers one question: which models tell best what a message asks for,
// and how well do they tell it of tools that they have not seen?
//
// It fits the models of package intent to labelled messages ([Load]): trees, how a message is
// put, and vectors. [Fitting.LeaveOut] lets the whole classifier answer each message by models
// that were fitted without its source; [Report] tells what the answers are worth.
package requestfit
