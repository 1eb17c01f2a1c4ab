package completion

import "github.com/bonafide-go/bonafide/internal/lexicon"

// findSearches looks for lookups that are told as nouns: "based on my search",
// "the search results show", "after searching the web". They matter only where
// nothing was looked up at all.
func (j *judge) findSearches() {
	if j.anySuccess() != nil {
		return
	}
	for i := range j.text.sentences {
		s := &j.text.sentences[i]
		if s.roles&roleLooking == 0 || s.asking || s.cues&(cueError|cueFail) != 0 {
			continue
		}
		for k := s.first; k < s.to; k++ {
			if j.text.words[k].role&roleLooking == 0 || j.text.isQuoted(k) || !j.text.searched(s, k) {
				continue
			}
			e := event{verb: k, chain: k, from: j.text.clauseStart(s.from, k), to: s.to, in: i, subj: k - 1, shape: called}
			if j.text.words[k].form&lexicon.Gerund != 0 || j.text.voids(&e) == 0 {
				j.claims = append(j.claims, Claim{Text: j.text.slice(s.from, s.to), Kind: ClaimLookup, Rule: "told search", Fault: faultNoLookup})
				return
			}
		}
	}
}

// searched reports whether the word at k tells of a search that was made.
func (r *reading) searched(s *sentence, k int) bool {
	for i := s.first; i < s.to; i++ { // "my search will show", "a search could help"
		if r.words[i].role&(roleModal|roleWill) != 0 && r.words[i].role&roleFirst == 0 && i < k+4 {
			return false
		}
	}
	if r.words[k].form&lexicon.Gerund != 0 {
		return k == s.first+1 && r.token(s.first) == "After" && s.roles&roleFirst != 0
	}
	if k > s.first && r.words[k-1].role&roleMine != 0 {
		return true
	}
	for i := k + 1; i < min(k+3, s.to); i++ {
		if r.words[i].role&(roleYielding|roleHolding|roleShowing) != 0 {
			return true
		}
	}
	return false
}
