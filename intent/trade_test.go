package intent

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// tradeVerbs are verbs that no list has or that have no family there, with what they are used on.
const tradeVerbs = `caponize/rooster deglaze/pan crimp/hose degauss/monitor retread/tyre autoclave/scalpel
fumigate/granary blanch/leek dredge/canal tuckpoint/chimney varnish/violin`

// TestVerbsOfATrade: the words of a tool's own name in a plain command are enough, whatever its
// style, with a description or without; and such a message is in no foreign language.
func TestVerbsOfATrade(t *testing.T) {
	styles := map[string]func(verb, noun string) string{
		"snake": func(verb, noun string) string { return verb + "_" + noun },
		"camel": func(verb, noun string) string { return verb + strings.ToUpper(noun[:1]) + noun[1:] },
		"kebab": func(verb, noun string) string { return noun + "-" + verb },
		"point": func(verb, noun string) string { return noun + "." + verb },
	}
	for style, name := range styles {
		for _, described := range []bool{false, true} {
			missed, all := []string(nil), 0
			for _, pair := range strings.Fields(tradeVerbs) {
				verb, noun, _ := strings.Cut(pair, "/")
				tools := []tooltrack.Tool{{Name: name(verb, noun)}, {Name: name("list", noun+"s")}, {Name: name("weigh", noun)}}
				if described {
					tools[0].Description = fmt.Sprintf("%ss a %s.", strings.ToUpper(verb[:1])+verb[1:], noun)
				}
				c := classifierFor(t, tools, nil)
				for _, frame := range []string{"%s the %s Bertha", "please %s %s 14", "could you %s %s K-7?", "%s the %s by the door"} {
					user := fmt.Sprintf(frame, verb, noun)
					in := c.read(Utterance{User: user}).intent()
					require.False(t, in.Unsupported, "%s, %s", style, user)
					all++
					if len(in.Expect) != 1 || in.Expect[0].Tool != tools[0].Name || in.Due < DefaultDue {
						missed = append(missed, user)
					}
				}
			}
			require.LessOrEqual(t, len(missed), all/20, "%s: %q", style, missed)
		}
	}
}

// TestTradeVerbsAloneSayNothing: of a verb that nobody knows, only a plain command with the
// tool's other words says something.
func TestTradeVerbsAloneSayNothing(t *testing.T) {
	c := classifierFor(t, []tooltrack.Tool{
		{Name: "degauss_monitor"}, {Name: "crimp_hose"}, {Name: "fine_wine", Description: "Clears a wine with egg white."}, {Name: "list_hoses"},
	}, nil)
	for _, user := range []string{
		"degauss the kitchen", "we degauss the old monitor every spring, they say", "they degauss every monitor here",
		"fine wine!", "fine, thanks", "don't crimp the hose", "crimp the hose, no wait, don't", "Der Monitor ist kaputt und muss weg",
		"why would anybody crimp a hose", "you crimp the hose too often",
	} {
		for _, e := range c.read(Utterance{User: user}).intent().Expect {
			require.False(t, e.Confidence >= calledConfidence && e.Hold == NotHeld, "%q: %+v", user, e)
		}
	}
	in := c.read(Utterance{User: "crimp the hose at bay 4. Degauss the monitor, too."}).intent()
	require.Len(t, in.Expect, 2)
	require.Equal(t, "crimp_hose", in.Expect[0].Tool)
	require.Equal(t, "degauss_monitor", in.Expect[1].Tool)
}

const calledConfidence = 0.8 // of agreedScore
