// Package play is what the recipes have in common: a few tools, a simulated
// model that is honest in some scenes and lies in others, and a stage that shows
// what became of it.
//
// A recipe hands over an [Agent], written as the users of its framework write
// one. [Show] lets it answer every [Scene] and prints what passes between the
// person, the model, the guard and the tools; playtest holds it to what each scene
// must come to.
//
// The model is a real HTTP server (see simmodel), so the framework's own client
// talks to it as to any provider.
package play
