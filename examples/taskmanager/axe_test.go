package main

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/sampling"
)

// TestAccessible holds the page against the rules of axe: in every state, in
// both themes, and at three widths.
func TestAccessible(t *testing.T) {
	path := os.Getenv("BONAFIDE_TEST_AXE")
	if path == "" {
		t.Skip("BONAFIDE_TEST_AXE is not set: the path of axe.min.js, as npm installs it from .ci/axe")
	}
	axe, err := os.ReadFile(path) // #nosec G304 -- the tester's own file
	check(t, err)
	w := newWorld(t, worldOptions{})
	inner, cut := w.api.handler(), make(chan struct{})
	w.server.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		select {
		case <-cut:
			panic(http.ErrAbortHandler)
		default:
			inner.ServeHTTP(rw, r)
		}
	})
	v := &watchful{visit(t, w.server.URL, "axe", 1280, 800), string(axe), 0}
	v.passes("the staged lie")
	v.do(chromedp.Click(".switch"))
	v.say("delete Read book")
	v.passes("a lie, the guard being off")
	v.do(chromedp.Click(".switch"))
	v.say("delete Read book")
	v.passes("a caught lie, with its toast and its timeline")
	v.do(chromedp.ScrollIntoView(lastAnswer+" .chip"), chromedp.Click(lastAnswer+" .chip"), chromedp.WaitVisible("#record[open]"))
	v.passes("a record")
	v.do(chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible("#record"))
	v.fault("skip-tool-twice")
	v.say("delete Review proposal")
	v.passes("an honest error")
	v.fault("")
	v.say("delete Paint the fence")
	v.passes("a refused call")
	v.say(clearAll)
	v.do(chromedp.WaitVisible("#inbox .approval"))
	v.passes("a call that waits for approval")
	v.do(chromedp.SendKeys("#message", "a message that waits"), chromedp.Evaluate(`working("thinking…"); document.getElementById("send").disabled = true`, nil))
	v.passes("while it works")
	v.do(chromedp.Evaluate(`working(""); document.getElementById("send").disabled = false; list([])`, nil))
	v.passes("nothing to do")
	close(cut)
	v.do(chromedp.SetValue("#message", "delete Water the plants"), chromedp.SendKeys("#message", "\r"), chromedp.WaitVisible(".message.unknown"))
	v.passes("a fate that is not known")
	v.do(network.EmulateNetworkConditions(true, 0, -1, -1), chromedp.Click("#over"), chromedp.WaitVisible(".toast.failed"))
	v.passes("no server")

	production := serverFor(t, &api{service: w.service, tokens: w.api.tokens})
	v = &watchful{&visitor{t: t, ctx: browser(t), origin: production.URL}, string(axe), 0}
	v.do(chromedp.Navigate(production.URL), chromedp.WaitVisible("#signin"))
	v.passes("signing in")
	v.do(chromedp.Evaluate(`document.querySelector("#signin label").replaceWith(document.querySelector("#signin input"))`, nil))
	require.NotEmpty(t, v.violations(), "a field without a label is not found")
}

// watchful is a visitor with axe at hand.
type watchful struct {
	*visitor
	axe    string
	states int // looked at
}

// violation is a rule of axe that something on the page breaks.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// passes fails for everything that breaks a rule, in both themes and at three
// widths. At each push a state is seen in one theme at each width, in both by turns.
func (v *watchful) passes(state string) {
	v.t.Helper()
	v.states++
	for i, device := range devices {
		for k, scheme := range []string{"light", "dark"} {
			if (v.states+i+k)%sampling.Every(2) != 0 {
				continue
			}
			v.do(chromedp.EmulateViewport(device.width, device.height), v.scheme(scheme))
			for _, broken := range v.violations() {
				for _, node := range broken.Nodes {
					v.t.Errorf("%s, %s, %s: %s (%s): %s\n%s", state, device.name, scheme, broken.Help, broken.ID, node.HTML, strings.TrimSpace(node.Summary))
				}
			}
		}
	}
}

func (v *watchful) violations() (found []violation) {
	v.t.Helper()
	var there bool
	if v.do(chromedp.Evaluate(`"axe" in window`, &there)); !there {
		v.do(chromedp.Evaluate(v.axe+"; true", nil))
	}
	v.do(chromedp.Evaluate(`axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)`, &found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
		return p.WithAwaitPromise(true)
	}))
	return found
}
