package mcpguard

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"strings"
)

// maxAlias is the longest name that all common providers take.
const maxAlias = 64

// aliases name the tools of all servers for the model, in order. A tool whose
// own name can stand as it is gets it; the others give way.
func aliases(servers []*server) iter.Seq2[string, offer] {
	isOwn := map[string]bool{} // names that some tool has by itself
	for _, server := range servers {
		for _, offered := range server.offers {
			isOwn[server.prefixed(offered.tool.Name)] = true
		}
	}
	return func(yield func(string, offer) bool) {
		isTaken := map[string]bool{}
		for _, server := range servers {
			for _, offered := range server.offers {
				plain := server.prefixed(offered.tool.Name)
				alias := portable(plain)
				if alias != plain && isOwn[alias] || len(alias) > maxAlias || isTaken[alias] {
					alias = distinct(alias, server.name+"\x00"+offered.name)
				}
				isTaken[alias] = true
				if !yield(alias, offered) {
					return
				}
			}
		}
	}
}

func (s *server) prefixed(tool string) string {
	if s.name == "" {
		return tool
	}
	return s.name + "__" + tool
}

// portable replaces what some provider refuses in a tool's name.
func portable(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
}

// distinct cuts a name and adds a digest of what it stands for.
func distinct(alias, of string) string {
	const digits = 8
	digest := sha256.Sum256([]byte(of))
	if len(alias) > maxAlias-digits-1 {
		alias = alias[:maxAlias-digits-1]
	}
	return alias + "_" + hex.EncodeToString(digest[:digits/2])
}
