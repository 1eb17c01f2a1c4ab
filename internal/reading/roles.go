package reading

import "github.com/bonafide-go/bonafide/internal/lexicon"

// RolesOf is the roles of a single word, whatever stands around it: of a piece
// of a name, or of a member of a result.
func (r *Reader) RolesOf(word string) Role { return r.at(lexicon.Hash(word)).roles }

// Waits reports whether a state speaks of something that is not over: "queued".
func (r *Reader) Waits(text string) bool { return r.anyRole(text, RoleWait) }
