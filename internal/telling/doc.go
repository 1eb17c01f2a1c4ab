// Package telling answers one question: in which words are people told of a call?
//
// It knows titles, never ids, unless people say such ids themselves; and it puts the
// name of a tool into a sentence: "Turned off: kitchen light" for turn_off_light.
package telling
