package tooltrack

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// keyLimit is the length up to which a key holds the arguments themselves;
// longer ones are represented by their digest.
const keyLimit = 160

// callKey names a call by its tool and canonical arguments: two calls that
// differ only in white space, key order, escapes or the spelling of numbers
// have the same key. Arguments without a canonical form are told apart byte by
// byte.
func callKey(call Call) string {
	var room [keyLimit + 64]byte // most keys need no more, and none on the heap
	key := append(append(room[:0], call.Tool...), ' ')
	start := len(key)
	if jsonspan.SkipSpace(call.Args, 0) == len(call.Args) {
		return string(append(key, "{}"...))
	}
	key, fault := jsonspan.AppendCanonical(key, call.Args)
	if fault != nil {
		sum := sha256.Sum256(call.Args)
		return string(hex.AppendEncode(append(key, "raw:"...), sum[:]))
	}
	if len(key) > keyLimit {
		sum := sha256.Sum256(key[start:])
		key = hex.AppendEncode(append(key[:start], "sha256:"...), sum[:])
	}
	return string(key)
}
