package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// browser starts a headless browser with an empty profile.
func browser(t *testing.T) context.Context {
	t.Helper()
	binary := os.Getenv("BONAFIDE_TEST_BROWSER")
	if binary == "" {
		t.Skip("BONAFIDE_TEST_BROWSER is not set")
	}
	// Helper processes of the browser may write into the profile for a moment
	// longer than it lives, so t.TempDir would fail the test now and then.
	profile, err := os.MkdirTemp("", "taskmanager-browser-")
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(binary), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
	)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(format string, args ...any) {
		if said := fmt.Sprintf(format, args...); !strings.HasPrefix(said, "unhandled node event") { // newer than the library
			t.Log(said)
		}
	}))
	t.Cleanup(cancel)
	tab := ctx
	t.Cleanup(func() { _ = chromedp.Cancel(tab) }) // it waits for the browser to end
	ctx, cancel = context.WithTimeout(ctx, 90*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// The sizes at which the page is looked at.
var devices = []struct {
	name          string
	width, height int64
}{{"desktop", 1280, 800}, {"tablet", 768, 1024}, {"phone", 390, 844}}

// TestPage chats in a real browser, on a desk, on a tablet and on a phone.
func TestPage(t *testing.T) {
	for _, device := range devices {
		t.Run(device.name, func(t *testing.T) {
			w := newWorld(t, worldOptions{})
			v := visit(t, w, device.name, device.width, device.height)
			v.stagedLie()
			v.lie()
			v.caughtLie()
			v.chip()
			v.reload()
			v.keyboard()
			v.hostile()
			v.sameWidth(device.width)
			v.startOver()
		})
	}
}

// visit opens the page of a world.
func visit(t *testing.T, w *world, device string, width, height int64) *visitor {
	t.Helper()
	v := &visitor{t: t, ctx: browser(t), w: w, device: device}
	v.listen()
	v.do(chromedp.EmulateViewport(width, height), chromedp.Navigate(w.server.URL), chromedp.WaitVisible(`#tasks li[data-title="Read book"]`))
	v.sameWidth(width)
	return v
}

// TestUnknownFate cuts the connection after the turn was carried out: the page
// says that it does not know, asks again with the same key, and learns it.
// Nothing is done twice.
func TestUnknownFate(t *testing.T) {
	w := newWorld(t, worldOptions{})
	var cut, keys atomic.Int64
	inner := w.api.handler()
	release := make(chan struct{})
	w.server.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" && cut.Load() > 0 {
			select {
			case <-release:
			default:
				panic(http.ErrAbortHandler) // the server is down
			}
		}
		if strings.HasSuffix(r.URL.Path, "/chat") {
			keys.Add(1)
			if cut.CompareAndSwap(0, 1) {
				inner.ServeHTTP(httptest.NewRecorder(), r)
				rw.WriteHeader(http.StatusOK) // a browser repeats by itself what got no answer at all
				_ = http.NewResponseController(rw).Flush()
				panic(http.ErrAbortHandler)
			}
		}
		inner.ServeHTTP(rw, r)
	})
	v := visit(t, w, "desktop", 1280, 800)
	v.do(chromedp.SetValue("#fault", ""), chromedp.SendKeys("#message", "add a task to buy milk\r"), chromedp.WaitVisible(".message.unknown"))
	require.Contains(t, v.text(".message.unknown"), "It is not known whether this was carried out.")
	require.Equal(t, "It is not known whether the last message was carried out.", v.text("#motto"))
	require.Equal(t, 1, v.count(".message.unknown button"))
	v.shot("unknown")
	close(release)
	v.do(chromedp.Poll(`!document.querySelector(".message.unknown") && !document.getElementById("send").disabled`, nil))
	require.Equal(t, "Added: buy milk", v.text(lastAnswer+" .text"))
	require.Contains(t, v.text(lastAnswer+" .badge"), "nothing was done twice")
	require.Equal(t, guardOn, v.text("#motto"))
	require.EqualValues(t, 2, keys.Load(), "requests")
	require.Len(t, w.tasks("demo"), len(seedTasks)+1, "it was added twice")
}

// TestUnknownFateOutlivesAReload: the message is still asked about.
func TestUnknownFateOutlivesAReload(t *testing.T) {
	w := newWorld(t, worldOptions{})
	inner := w.api.handler()
	var cut atomic.Bool
	carriedOut := make(chan struct{})
	w.server.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/chat") && cut.CompareAndSwap(false, true) {
			inner.ServeHTTP(httptest.NewRecorder(), r)
			close(carriedOut)
			<-r.Context().Done() // the answer never comes
			return
		}
		inner.ServeHTTP(rw, r)
	})
	v := visit(t, w, "desktop", 1280, 800)
	v.do(chromedp.SetValue("#fault", ""), chromedp.SendKeys("#message", "add a task to buy milk\r"), chromedp.Poll(`!document.getElementById("progress").hidden`, nil))
	<-carriedOut
	v.do(chromedp.Reload(), chromedp.WaitVisible(lastAnswer))
	require.Equal(t, "Added: buy milk", v.text(lastAnswer+" .text"))
	require.Len(t, w.tasks("demo"), len(seedTasks)+1)
}

// TestOffline: without a server the page says so.
func TestOffline(t *testing.T) {
	w := newWorld(t, worldOptions{})
	v := visit(t, w, "desktop", 1280, 800)
	v.do(network.EmulateNetworkConditions(true, 0, -1, -1), chromedp.Click("#over"), chromedp.WaitVisible(".toast.failed"))
	require.Equal(t, "The server does not answer.", v.text(".toast.failed"))
	require.Equal(t, 7, v.count("#tasks li"))
}

// TestReadable holds the colours of both themes against the contrast that people
// with weak eyes need, and every control against having a name.
func TestReadable(t *testing.T) {
	w := newWorld(t, worldOptions{})
	v := visit(t, w, "phone", 390, 844)
	v.do(chromedp.Evaluate(`document.querySelector(".switch input").click()`, nil))
	v.say("delete Read book")
	v.do(chromedp.Evaluate(`document.querySelector(".switch input").click()`, nil))
	v.say("delete Read book")
	for _, scheme := range []string{"light", "dark"} {
		var weak []string
		v.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}),
			chromedp.Evaluate(weakContrast, &weak))
		require.Empty(t, weak, scheme)
	}
	var nameless []string
	v.do(chromedp.Evaluate(`[...document.querySelectorAll("button, input, select, summary")].filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)).map((e) => e.outerHTML)`, &nameless))
	require.Empty(t, nameless)
	var covered bool
	v.do(chromedp.Evaluate(`(() => { const t = document.querySelector(".toast")?.getBoundingClientRect(), s = document.querySelector("header").getBoundingClientRect();
		return Boolean(t) && t.top < s.bottom; })()`, &covered))
	require.False(t, covered, "the toast covers the switch")
}

// weakContrast lists visible texts whose contrast with what lies under them is
// below 4.5 to 1.
const weakContrast = `(() => {
	const parse = (c) => { const [r, g, b, a = 1] = c.match(/[\d.]+/g).map(Number); return { r, g, b, a }; };
	const light = ({ r, g, b }) => { const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
	const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.a > 0.99) return c; } return { r: 255, g: 255, b: 255 }; };
	const weak = [];
	for (const e of document.querySelectorAll("body *")) {
		const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
		if (!own || !e.checkVisibility() || e.closest("dialog:not([open]), option, .hidden") || e.disabled) continue;
		const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))];
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (contrast < 4.5) weak.push(e.className + " " + contrast.toFixed(2) + " " + e.textContent.slice(0, 30));
	}
	return weak;
})()`

// TestSignIn uses the page without the demo: with a user and a token.
func TestSignIn(t *testing.T) {
	ctx := browser(t)
	w := newWorld(t, worldOptions{})
	w.server = serverFor(t, &api{service: w.service, tokens: w.api.tokens})
	token, err := w.api.tokens.mint("ann", time.Hour)
	check(t, err)
	v := &visitor{t: t, ctx: ctx, w: w}
	v.listen()
	v.do(chromedp.Navigate(w.server.URL), chromedp.WaitVisible("#signin"),
		chromedp.SendKeys("#user", "ann"), chromedp.SendKeys("#token", "wrong\r"), chromedp.WaitVisible(".toast.failed"),
		chromedp.SetValue("#token", token), chromedp.SendKeys("#token", "\r"), chromedp.WaitVisible(`#tasks li[data-title="Read book"]`))
	if v.count("#demo:not([hidden])") != 0 {
		t.Error("there is a fault picker in production")
	}
	v.say("delete Read book")
	if got := v.text(lastAnswer + " .text"); got != "Deleted: Read book" {
		t.Errorf("got %q", got)
	}
}

type visitor struct {
	t      *testing.T
	ctx    context.Context
	w      *world
	device string
}

func (v *visitor) do(actions ...chromedp.Action) {
	v.t.Helper()
	check(v.t, chromedp.Run(v.ctx, actions...))
}

// listen fails the test for errors of the page and for requests to other hosts.
func (v *visitor) listen() {
	chromedp.ListenTarget(v.ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			v.t.Errorf("the page threw %s", e.ExceptionDetails.Error())
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, v.w.server.URL) && !strings.HasPrefix(e.Request.URL, "data:") {
				v.t.Errorf("the page asked for %s", e.Request.URL)
			}
		}
	})
}

// sameWidth fails if the page is wider than the screen.
func (v *visitor) sameWidth(width int64) {
	v.t.Helper()
	var wide int64
	v.do(chromedp.Evaluate(`document.documentElement.scrollWidth`, &wide))
	if wide > width {
		v.t.Errorf("the page is %d wide on a screen of %d", wide, width)
	}
}

// say types a message and waits for the answer to be there.
func (v *visitor) say(text string) {
	v.t.Helper()
	var answers int
	v.do(chromedp.Evaluate(`document.querySelectorAll(".message.assistant").length`, &answers),
		chromedp.SendKeys("#message", text+"\r"),
		chromedp.Poll(`document.querySelectorAll(".message.assistant").length > `+strconv.Itoa(answers)+` && !document.getElementById("send").disabled`, nil))
}

func (v *visitor) text(selector string) string {
	v.t.Helper()
	var text string
	v.do(chromedp.TextContent(selector, &text))
	return text
}

func (v *visitor) count(selector string) int {
	v.t.Helper()
	var n int
	v.do(chromedp.Evaluate("document.querySelectorAll(`"+selector+"`).length", &n))
	return n
}

// guardOn is what the header says with the guard on.
const guardOn = "The guard is on: what it claims is checked against the calls that ran."

const lastAnswer = "#log .message.assistant:last-child"

// stagedLie is what the page opens with: the same request without and with the
// guard.
func (v *visitor) stagedLie() {
	v.t.Helper()
	v.do(chromedp.WaitVisible(".stage .side.good"))
	bad, good := v.text(".side.bad"), v.text(".side.good")
	require.Contains(v.t, bad, `I've deleted "Read book"`)
	require.Contains(v.t, bad, "7 tasks, as before")
	require.Contains(v.t, bad, "✗ it says a task was deleted, and none was")
	require.Contains(v.t, good, "Withheld")
	require.Contains(v.t, good, "6 tasks: 1 deleted")
	require.Contains(v.t, good, "✓ what you see is true")
	require.Equal(v.t, len(seedTasks), v.count("#tasks li"), "the scene has rows of its own")
	require.Equal(v.t, guardOn, v.text("#motto"))
	v.shot("stage")
}

// lie shows a visitor what happens without the guard.
func (v *visitor) lie() {
	v.t.Helper()
	v.do(chromedp.SetValue("#fault", "ghost-success"), chromedp.Click(".switch"))
	require.Equal(v.t, "The guard is off: what it says may be untrue.", v.text("#motto"))
	v.say("delete Read book")
	require.Contains(v.t, v.text(lastAnswer+" .text"), "I've deleted")
	require.Contains(v.t, v.text(lastAnswer+" .badge"), "Nothing proves this")
	require.Zero(v.t, v.count(lastAnswer+" .chip"))
	require.Equal(v.t, 1, v.count(`#tasks li[data-title="Read book"]`))
	require.Zero(v.t, v.count(".toast"))
	v.shot("unguarded")
}

// caughtLie shows the same with the guard: answer, toast, list, and the timeline
// open by itself.
func (v *visitor) caughtLie() {
	v.t.Helper()
	v.do(chromedp.Click(".switch"))
	v.say("delete Read book")
	require.Equal(v.t, "Deleted: Read book", v.text(lastAnswer+" .text"))
	require.Equal(v.t, "Deleted: Read book", v.text(".toast"))
	v.do(chromedp.WaitNotPresent(`#tasks li[data-title="Read book"]`)) // the list is read after the answer has been shown
	require.Equal(v.t, len(seedTasks)-1, v.count("#tasks li"), "the list lost more than one task")
	v.do(chromedp.WaitVisible(lastAnswer + " details[open] .timeline li.withheld"))
	timeline := v.text(lastAnswer + " .timeline")
	for _, want := range []string{"Withheld", "I've deleted", "Asked again", "Ran delete_task", "Shown to you: Deleted: Read book"} {
		require.Contains(v.t, timeline, want)
	}
	require.NotContains(v.t, v.text("#ideas"), "Read book", "a suggestion is stale")
	require.Contains(v.t, v.text("#ideas"), "undo that")
	v.do(chromedp.Evaluate(`document.getElementById("log").scrollTop = 1e6`, nil))
	v.shot("guarded")
}

// chip opens the record that proves the answer, and Escape closes it.
func (v *visitor) chip() {
	v.t.Helper()
	v.do(chromedp.ScrollIntoView(lastAnswer+" .chip"), chromedp.Click(lastAnswer+" .chip"), chromedp.WaitVisible("#record[open]"))
	record := v.text("#record")
	for _, want := range []string{"Record #", "delete_task", "Read book", "succeeded", "by the guard"} {
		require.Contains(v.t, record, want)
	}
	require.NotRegexp(v.t, uuidForm, record)
	v.shot("record")
	v.do(chromedp.KeyEvent(kb.Escape), chromedp.WaitNotVisible("#record"))
}

// reload keeps the conversation, the fault and the switch.
func (v *visitor) reload() {
	v.t.Helper()
	answers := v.count(".message.assistant")
	v.do(chromedp.Reload(), chromedp.WaitVisible(lastAnswer), chromedp.WaitVisible("#tasks li"))
	require.Equal(v.t, answers, v.count(".message.assistant"))
	require.Equal(v.t, "Deleted: Read book", v.text(lastAnswer+" .text"))
	require.Equal(v.t, 1, v.count(lastAnswer+" .chip"))
	var fault string
	v.do(chromedp.Value("#fault", &fault))
	require.Equal(v.t, "ghost-success", fault)
	v.say("undo that") // of the conversation before
	require.Equal(v.t, "Added: Read book", v.text(lastAnswer+" .text"))
}

// startOver brings the first tasks and the staged lie back.
func (v *visitor) startOver() {
	v.t.Helper()
	v.do(chromedp.Click("#over"), chromedp.WaitVisible(".stage"), chromedp.Poll(`document.querySelectorAll("#tasks li").length === `+strconv.Itoa(len(seedTasks)), nil))
	require.Zero(v.t, v.count(".message"))
}

// keyboard uses no mouse: the focus is in the field after every answer, and the
// arrow brings back what was said.
func (v *visitor) keyboard() {
	v.t.Helper()
	v.do(chromedp.SetValue("#fault", ""), chromedp.Focus("#message"))
	v.say("add a task to buy milk due tomorrow")
	var focused, recalled string
	v.do(chromedp.WaitVisible(`#tasks li[data-title="buy milk"].changed`), chromedp.Evaluate(`document.activeElement.id`, &focused))
	require.Equal(v.t, "message", focused)
	require.Equal(v.t, "due 2026-02-09", v.text(`#tasks li[data-title="buy milk"] .due`))
	v.do(chromedp.KeyEvent(kb.ArrowUp), chromedp.Value("#message", &recalled), chromedp.Evaluate(`document.getElementById("message").value = ""`, nil))
	require.Equal(v.t, "add a task to buy milk due tomorrow", recalled)
	v.do(chromedp.Focus("#log"), chromedp.KeyEvent("/"), chromedp.Evaluate(`document.activeElement.id`, &focused))
	require.Equal(v.t, "message", focused)
}

// hostile puts markup into a title.
func (v *visitor) hostile() {
	v.t.Helper()
	v.say("add a task to <img src=x onerror=document.title='owned'><b>bold</b>")
	var title string
	v.do(chromedp.Title(&title))
	if v.count("#tasks img, #tasks b, #log img, #log b, .toast img, .toast b") != 0 || title == "owned" {
		v.t.Error("a title became markup")
	}
}

// shot writes screenshots into the folder that BONAFIDE_TEST_SHOTS names, for
// people to look at.
func (v *visitor) shot(name string) {
	v.t.Helper()
	folder := os.Getenv("BONAFIDE_TEST_SHOTS")
	if folder == "" {
		return
	}
	for _, scheme := range []string{"dark", "light"} {
		var image []byte
		v.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}), chromedp.CaptureScreenshot(&image))
		check(v.t, os.WriteFile(filepath.Join(folder, v.device+"-"+name+"-"+scheme+".png"), image, 0o644))
	}
}
