package requestfit

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/intent"
	"github.com/bonafide-go/bonafide/internal/evaluation/race"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// otherVerbs are verbs that tools of other makers have for the same act.
var otherVerbs = map[string]string{
	"create": "add", "add": "create", "delete": "remove", "remove": "delete", "list": "show", "show": "list", "get": "fetch", "fetch": "get",
	"update": "change", "change": "update", "modify": "change", "edit": "modify", "send": "dispatch", "search": "find", "find": "search",
	"cancel": "revoke", "book": "reserve", "reserve": "book", "start": "begin", "stop": "end", "buy": "purchase", "purchase": "buy",
	"check": "verify", "set": "adjust", "schedule": "plan", "close": "shut", "order": "buy", "make": "create", "calculate": "compute",
	"compute": "calculate", "retrieve": "get", "view": "show", "register": "enroll", "submit": "file", "move": "shift", "transfer": "move",
	"pay": "settle", "mark": "flag", "assign": "allot",
}

// paraphrase is a tool as another maker would have written it: another verb, the noun
// before it, other capitals, and a description that opens otherwise.
func paraphrase(tool tooltrack.Tool) tooltrack.Tool {
	words := toolname.Words(tool.Name)
	if at := slices.IndexFunc(words, func(w string) bool { return otherVerbs[w] != "" }); at >= 0 {
		words[at] = otherVerbs[words[at]]
	}
	if len(words) == 2 {
		slices.Reverse(words)
	}
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	tool.Name = strings.Join(words, "")
	first, rest, _ := strings.Cut(tool.Description, " ")
	for _, ending := range []string{"", "s", "es"} {
		if other := otherVerbs[strings.TrimSuffix(strings.ToLower(first), ending)]; other != "" {
			tool.Description = "Use this to " + other + " " + rest
			break
		}
	}
	return tool
}

// TestParaphrasedSetsKeepTheirAnswers: nine of ten of our own requests are answered by the
// same tools when another maker wrote them.
func TestParaphrasedSetsKeepTheirAnswers(t *testing.T) {
	if race.Enabled {
		t.Skip("judges thousands of messages, one after the other: the race detector has nothing to find in it")
	}
	const every, least = 6, 0.9
	all, same, sure, wrong := 0, 0, 0, 0
	for n, set := range allSets(t) {
		if n%every != 0 {
			continue
		}
		tools, names := slices.Clone(set.Tools), map[string]string{}
		for i, tool := range set.Tools {
			tools[i] = paraphrase(tool)
			names[tools[i].Name] = tool.Name
		}
		if len(names) < len(tools) {
			continue // two of them would be called alike
		}
		plain, other := plainAnswerer(t, set.Tools), classifierFor(t, tools, nil)
		for i, r := range set.Requests {
			if i%4 != 0 {
				continue
			}
			want := plain(r.User, r.Previous)
			got := answered(t, other, intent.Utterance{User: r.User, Previous: r.Previous})
			alike := slices.EqualFunc(want.Expect, got.Expect, func(a, b intent.Expectation) bool { return a.Tool == names[b.Tool] })
			all, same = all+1, same+count(alike)
			for _, e := range got.Expect {
				if e.Confidence >= intent.DefaultSureChange && e.Hold == intent.NotHeld {
					sure++
					wrong += count(!slices.Contains(slices.Concat(r.Expected, r.Maybe), names[e.Tool]))
				}
			}
		}
	}
	t.Logf("%d of %d answers are the same; of %d sure ones %d are wrong", same, all, sure, wrong)
	require.Greater(t, all, 2000)
	require.GreaterOrEqual(t, float64(same), least*float64(all))
	require.LessOrEqual(t, 100*wrong, sure, "sure of the wrong tool")
}
