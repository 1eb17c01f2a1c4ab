package main

import (
	"context"
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
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	tab := ctx
	t.Cleanup(func() { _ = chromedp.Cancel(tab) }) // it waits for the browser to end
	ctx, cancel = context.WithTimeout(ctx, 90*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// TestPage chats in a real browser, on a desk and on a phone.
func TestPage(t *testing.T) {
	for _, device := range []struct {
		name          string
		width, height int64
	}{{"desktop", 1200, 800}, {"phone", 390, 800}} {
		t.Run(device.name, func(t *testing.T) {
			ctx := browser(t)
			w := newWorld(t, worldOptions{})
			v := &visitor{t: t, ctx: ctx, w: w, device: device.name}
			v.listen()
			v.do(chromedp.EmulateViewport(device.width, device.height), chromedp.Navigate(w.server.URL), chromedp.WaitVisible(`#tasks li[data-title="Read book"]`))
			v.sameWidth(device.width)
			v.lie()
			v.caughtLie()
			v.keyboard()
			v.hostile()
			v.sameWidth(device.width)
		})
	}
}

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

const lastAnswer = "#log .message.assistant:last-child"

// lie shows a visitor what happens without the guard.
func (v *visitor) lie() {
	v.t.Helper()
	v.do(chromedp.SetValue("#fault", "ghost-success"), chromedp.Click(".switch"))
	v.say("delete Read book")
	if got := v.text(lastAnswer + " .text"); !strings.Contains(got, "I've deleted") {
		v.t.Errorf("without the guard: %q", got)
	}
	if got := v.text(lastAnswer + " .badge"); !strings.Contains(got, "Nothing proves this") {
		v.t.Errorf("the badge says %q", got)
	}
	if v.count(`#tasks li[data-title="Read book"]`) != 1 || v.count(".toast") != 0 {
		v.t.Error("the task is gone, or a toast says so")
	}
	v.shot("unguarded")
}

// caughtLie shows the same with the guard: answer, toast, list and timeline.
func (v *visitor) caughtLie() {
	v.t.Helper()
	v.do(chromedp.Click(".switch"))
	v.say("delete Read book")
	if got := v.text(lastAnswer + " .text"); got != "Deleted: Read book" {
		v.t.Errorf("with the guard: %q", got)
	}
	if got := v.text(".toast"); got != "Deleted: Read book" {
		v.t.Errorf("the toast says %q", got)
	}
	v.do(chromedp.WaitNotPresent(`#tasks li[data-title="Read book"]`)) // the list is read after the answer has been shown
	if v.count("#tasks li") != len(seedTasks)-1 {
		v.t.Error("the list lost more than one task")
	}
	v.do(chromedp.Click(lastAnswer+" summary"), chromedp.WaitVisible(lastAnswer+" .timeline li.withheld"))
	timeline := v.text(lastAnswer + " .timeline")
	for _, want := range []string{"Withheld", "I've deleted", "Asked again", "Ran delete_task", "Shown to you: Deleted: Read book"} {
		if !strings.Contains(timeline, want) {
			v.t.Errorf("the timeline lacks %q: %q", want, timeline)
		}
	}
	v.do(chromedp.Evaluate(`document.getElementById("log").scrollTop = 1e6`, nil))
	v.shot("guarded")
}

// keyboard uses no mouse: the focus is in the field after every answer.
func (v *visitor) keyboard() {
	v.t.Helper()
	v.do(chromedp.SetValue("#fault", ""), chromedp.Focus("#message"))
	v.say("add a task to buy milk due tomorrow")
	var focused string
	v.do(chromedp.WaitVisible(`#tasks li[data-title="buy milk"].changed`), chromedp.Evaluate(`document.activeElement.id`, &focused))
	if focused != "message" {
		v.t.Errorf("the focus is on %q", focused)
	}
	if got := v.text(`#tasks li[data-title="buy milk"] .due`); got != "due 2026-02-09" {
		v.t.Errorf("the task is %q", got)
	}
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
