package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
	t.Cleanup(func() { _ = chromedp.Cancel(tab) })        // it waits for the browser to end
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute) // on a busy machine; a page that hangs is noticed all the same
	t.Cleanup(cancel)
	return ctx
}

// The sizes at which the page is looked at.
var devices = []struct {
	name          string
	width, height int64
}{{"desktop", 1280, 800}, {"tablet", 820, 1180}, {"phone", 390, 844}}

// TestPage chats in a real browser, on a desk, on a tablet and on a phone.
func TestPage(t *testing.T) {
	for _, device := range devices {
		t.Run(device.name, func(t *testing.T) {
			w := newWorld(t, worldOptions{})
			v := visit(t, w.server.URL, device.name, device.width, device.height)
			v.stagedLie()
			v.fits()
			v.lie()
			v.caughtLie()
			v.chip()
			v.reload()
			v.secondLie()
			v.keyboard()
			v.ambiguous()
			v.dark()
			v.hostile()
			v.sameWidth(device.width)
			v.startOver()
		})
	}
}

// visit opens the page at an address.
func visit(t *testing.T, origin, device string, width, height int64) *visitor {
	t.Helper()
	v := &visitor{t: t, ctx: browser(t), origin: origin, device: device}
	v.listen()
	v.do(chromedp.EmulateViewport(width, height), chromedp.Navigate(origin), chromedp.WaitVisible(`#tasks li[data-title="Read book"]`))
	v.sameWidth(width)
	return v
}

// TestOffline: without a server the page says so.
func TestOffline(t *testing.T) {
	w := newWorld(t, worldOptions{})
	v := visit(t, w.server.URL, "desktop", 1280, 800)
	v.do(network.EmulateNetworkConditions(true, 0, -1, -1), chromedp.Click("#over"), chromedp.WaitVisible(".toast.failed"))
	require.Equal(t, "The server does not answer.", v.text(".toast.failed"))
	require.Equal(t, "The server does not answer.", v.text("#motto"))
	require.Equal(t, 7, v.count("#tasks li"))
	v.do(network.EmulateNetworkConditions(false, 0, -1, -1), chromedp.Poll(`document.getElementById("motto").textContent === `+strconv.Quote(guardOn), nil))
}

// TestSignIn uses the page without the demo: with a user and a token.
func TestSignIn(t *testing.T) {
	ctx := browser(t)
	w := newWorld(t, worldOptions{})
	w.server = serverFor(t, &api{service: w.service, tokens: w.api.tokens})
	token, err := w.api.tokens.mint("ann", time.Hour)
	check(t, err)
	v := &visitor{t: t, ctx: ctx, origin: w.server.URL}
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
	origin string
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
			if !strings.HasPrefix(e.Request.URL, v.origin) && !strings.HasPrefix(e.Request.URL, "data:") {
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

// fault picks how the model misbehaves, as a person would; empty is not at all.
func (v *visitor) fault(name string) {
	v.t.Helper()
	var picked string
	v.do(chromedp.Evaluate(`(() => { const s = document.getElementById("fault"); s.value = `+strconv.Quote(name)+`;
		s.dispatchEvent(new Event("change", { bubbles: true })); return s.selectedOptions[0]?.textContent ?? ""; })()`, &picked))
	require.NotEmpty(v.t, picked, name)
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
const guardOn = "Guard on: what it says is checked against its calls."

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
	v.fault("ghost-success")
	v.do(chromedp.Click(".switch"))
	require.Equal(v.t, "Guard off: what it says may be untrue.", v.text("#motto"))
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
	v.uncovered()
	require.NotContains(v.t, v.text("#ideas"), "Read book", "a suggestion is stale")
	require.Contains(v.t, v.text("#ideas"), "what did you do?")
	v.shot("guarded")
	v.wholeMessages()
}

// fits: the pay-off is in sight before anybody scrolls, what the model does can be
// read in its picker, and on a phone nothing but the page itself scrolls.
func (v *visitor) fits() {
	v.t.Helper()
	var hidden, areas []string
	v.do(chromedp.Evaluate(`(() => {
		const floor = document.querySelector(".dock").getBoundingClientRect().top;
		return [...document.querySelectorAll(".stage .verdict")].filter((e) => { const r = e.getBoundingClientRect();
			return r.top < 0 || r.bottom > floor; }).map((e) => e.textContent); })()`, &hidden))
	require.Empty(v.t, hidden, "out of sight")
	var wanted, room float64
	v.do(chromedp.Evaluate(`(() => { const s = document.getElementById("fault"), c = document.createElement("canvas").getContext("2d");
		c.font = getComputedStyle(s).font; return c.measureText(s.selectedOptions[0].textContent).width; })()`, &wanted),
		chromedp.Evaluate(`document.getElementById("fault").clientWidth - 28`, &room)) // its arrow and paddings
	require.LessOrEqual(v.t, wanted, room, "the model's fault cannot be read")
	v.do(chromedp.Evaluate(`[...document.querySelectorAll("body *")].filter((e) => e.scrollHeight > e.clientHeight + 1 &&
		/auto|scroll/.test(getComputedStyle(e).overflowY) && e.clientHeight && e.id !== "ideas").map((e) => e.id || e.className)`, &areas))
	if v.device == "phone" {
		require.Empty(v.t, areas, "there is more than one area to scroll")
	}
}

// wholeMessages: what was asked and its answer begin in sight, and no message is cut
// at the upper edge.
func (v *visitor) wholeMessages() {
	v.t.Helper()
	var cut []string
	v.do(chromedp.Evaluate(`(() => {
		const log = document.getElementById("log"), scrolls = getComputedStyle(log).overflowY !== "visible";
		const edge = scrolls ? log.getBoundingClientRect().top : 0, floor = document.querySelector(".dock").getBoundingClientRect().top;
		const texts = [...log.querySelectorAll(".message")];
		return texts.filter((m, i) => { const r = m.getBoundingClientRect();
			return r.top < edge - 1 && r.bottom > edge + 1 || i >= texts.length - 2 && (r.top < edge - 1 || r.top + 24 > floor);
		}).map((m) => m.textContent.slice(0, 60)); })()`, &cut))
	require.Empty(v.t, cut, "cut off")
}

// ambiguous: where two tasks could be meant, the page asks, and offers them.
func (v *visitor) ambiguous() {
	v.t.Helper()
	v.do(chromedp.Evaluate(`document.getElementById("message").value = ""`, nil))
	v.say("add a task to return the book")
	v.do(chromedp.WaitNotPresent(".toast"))
	v.say("delete the book task")
	require.Contains(v.t, v.text(lastAnswer+" .text"), "Which task do you mean?")
	require.Zero(v.t, v.count(lastAnswer+".error"))
	require.Zero(v.t, v.count(".toast.failed"), "a question is no failure")
	require.Contains(v.t, v.text("#ideas"), "return the book")
	v.shot("question")
	v.do(chromedp.Click(`//div[@id="ideas"]/button[text()="return the book"]`, chromedp.BySearch), chromedp.WaitNotPresent(`#tasks li[data-title="return the book"]`))
	require.Equal(v.t, "Deleted: return the book", v.text(lastAnswer+" .text"))
	require.Equal(v.t, 1, v.count(`#tasks li[data-title="Read book"]`))
}

// uncovered fails if the toast lies on something that can be pressed, or on a task.
func (v *visitor) uncovered() {
	v.t.Helper()
	var covered []string
	v.do(chromedp.Evaluate(`(() => {
		const toast = document.querySelector(".toast").getBoundingClientRect();
		return [...document.querySelectorAll("header label, header button, header select, #ideas button, .composer *, .chip, summary, #tasks li")]
			.filter((e) => e.checkVisibility()).filter((e) => { const r = e.getBoundingClientRect();
				return r.width && r.left < toast.right && r.right > toast.left && r.top < toast.bottom && r.bottom > toast.top; })
			.map((e) => e.outerHTML); })()`, &covered))
	require.Empty(v.t, covered, "the toast covers what can be pressed")
}

// secondLie: only the first caught lie tells its story by itself.
func (v *visitor) secondLie() {
	v.t.Helper()
	v.say("delete Plan the weekend trip")
	require.Equal(v.t, "Deleted: Plan the weekend trip", v.text(lastAnswer+" .text"))
	require.Contains(v.t, v.text(lastAnswer+" .badge"), "One unproven answer was withheld")
	require.Zero(v.t, v.count(lastAnswer+" details[open]"))
	v.do(chromedp.WaitNotPresent(`#tasks li[data-title="Plan the weekend trip"]`))
	v.say("add a task to Plan the weekend trip")
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
	var focused string
	v.do(chromedp.Evaluate(`document.activeElement.className`, &focused))
	require.Contains(v.t, focused, "chip", "the focus is back where it was")
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
	v.say("what did you do?") // of the conversation before
	require.Contains(v.t, v.text(lastAnswer+" .text"), "Deleted: Read book")
	v.say("add a task to Read book")
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
	v.fault("")
	v.do(chromedp.Focus("#message"))
	v.say("add a task to buy milk due tomorrow")
	var focused, recalled string
	v.do(chromedp.WaitVisible(`#tasks li[data-title="buy milk"].changed`), chromedp.Evaluate(`document.activeElement.id`, &focused))
	require.Equal(v.t, "message", focused)
	require.Equal(v.t, "due 2026-02-09", v.text(`#tasks li[data-title="buy milk"] .due`))
	v.do(chromedp.KeyEvent(kb.ArrowUp), chromedp.Value("#message", &recalled), chromedp.Evaluate(`document.getElementById("message").value = ""`, nil))
	require.Equal(v.t, "add a task to buy milk due tomorrow", recalled)
	v.do(chromedp.Focus("#log"), chromedp.KeyEvent("/"), chromedp.Evaluate(`document.activeElement.id`, &focused))
	require.Equal(v.t, "message", focused)
	v.do(chromedp.Focus("#guard"), chromedp.KeyEvent(" "))
	require.Equal(v.t, "off", v.state())
	v.do(chromedp.KeyEvent(" "))
	require.Equal(v.t, "on", v.state())
	var unreachable []string
	v.do(chromedp.Evaluate(`(() => { const all = [...document.querySelectorAll("button, input, select, summary, [tabindex]")].filter((e) => e.checkVisibility());
		return all.filter((e) => e.tabIndex < 0).map((e) => e.outerHTML); })()`, &unreachable))
	require.Empty(v.t, unreachable, "not reached by the Tab key")
	v.do(chromedp.Focus(lastAnswer+" .chip"), chromedp.KeyEvent(kb.Enter), chromedp.WaitVisible("#record[open]"), chromedp.KeyEvent(kb.Enter), chromedp.WaitNotVisible("#record"))
}

// state is the state that the header shows.
func (v *visitor) state() string {
	v.t.Helper()
	var state string
	v.do(chromedp.Evaluate(`document.getElementById("header").dataset.state`, &state))
	return state
}

// dark: the theme of the system is the page's.
func (v *visitor) dark() {
	v.t.Helper()
	for scheme, dark := range map[string]bool{"dark": true, "light": false} {
		var light float64
		v.do(v.scheme(scheme), chromedp.Evaluate(`getComputedStyle(document.body).backgroundColor.match(/\d+/g).reduce((sum, part) => sum + Number(part), 0) / 765`, &light))
		require.Equal(v.t, dark, light < 0.5, scheme)
	}
}

// scheme shows the page in one of the two themes, without motion.
func (v *visitor) scheme(name string) chromedp.Action {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}})
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
		v.do(v.scheme(scheme), chromedp.CaptureScreenshot(&image))
		check(v.t, os.WriteFile(filepath.Join(folder, v.device+"-"+name+"-"+scheme+".png"), image, 0o644))
	}
}
