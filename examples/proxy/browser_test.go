package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// tab opens the page of a world in a real browser, and fails the test for errors
// of the page and for requests to other hosts.
func tab(t *testing.T, w *world, width, height int64) context.Context {
	t.Helper()
	binary := os.Getenv("BONAFIDE_TEST_BROWSER")
	if binary == "" {
		t.Skip("BONAFIDE_TEST_BROWSER is not set")
	}
	// Helper processes of the browser may write into the profile for a moment
	// longer than it lives, so t.TempDir would fail the test now and then.
	profile, err := os.MkdirTemp("", "proxy-browser-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(profile) })
	options := append(
		chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(
			binary,
		),
		chromedp.UserDataDir(profile),
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.NoFirstRun,
		chromedp.Flag(
			"disable-background-networking",
			true,
		),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
	)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(
		ctx,
		chromedp.WithErrorf(func(string, ...any) {}),
	) // the browser is newer than the library
	t.Cleanup(cancel)
	opened := ctx
	t.Cleanup(func() { _ = chromedp.Cancel(opened) }) // it waits for the browser to end
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("the page threw %s", e.ExceptionDetails.Error())
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, w.url) {
				t.Errorf("the page asked for %s", e.Request.URL)
			}
		}
	})
	require.NoError(
		t,
		chromedp.Run(
			ctx,
			chromedp.EmulateViewport(width, height),
			chromedp.Navigate(w.url+"/"),
			chromedp.WaitVisible("#empty"),
		),
	)
	return ctx
}

func textOf(t *testing.T, ctx context.Context, selector string) string {
	t.Helper()
	var text string
	require.NoError(t, chromedp.Run(ctx, chromedp.WaitVisible(selector), chromedp.Text(selector, &text)))
	return text
}

// shots writes screenshots into the folder that BONAFIDE_TEST_SHOTS names, for
// people to look at.
func shots(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	folder := os.Getenv("BONAFIDE_TEST_SHOTS")
	if folder == "" {
		return
	}
	for _, scheme := range []string{"dark", "light"} {
		var image []byte
		feature := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
		require.NoError(
			t,
			chromedp.Run(ctx, emulation.SetEmulatedMedia().WithFeatures(feature), chromedp.CaptureScreenshot(&image)),
		)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name+"-"+scheme+".png"), image, 0o600))
	}
}

// markup is an answer that a page must not obey.
const markup = `I've deleted <img src=x onerror=document.title='owned'><b>Read book</b>.`

// TestThePage in a real browser, on a desk and on a phone: turns appear as they
// pass, with what would have been done, and what acts shows what it did.
func TestThePage(t *testing.T) {
	for _, device := range []struct {
		name          string
		width, height int64
	}{{"1280", 1280, 900}, {"390", 390, 844}} {
		t.Run(device.name, func(t *testing.T) {
			watched(t, device.name, device.width, device.height)
			acted(t, device.name, device.width, device.height)
		})
	}
}

func watched(t *testing.T, device string, width, height int64) {
	t.Helper()
	w := newWorld(t, model(t, func(ctx context.Context, request simmodel.Request) simmodel.Answer {
		switch {
		case strings.Contains(request.System(), "markup"):
			return simmodel.Say(markup)
		case strings.Contains(request.System(), "lie"):
			return simmodel.Say(lie)
		}
		return honest(ctx, request)
	}))
	ctx := tab(t, w, width, height)
	require.Contains(t, textOf(t, ctx, "#about"), "watches and changes nothing")
	require.Contains(t, textOf(t, ctx, "#empty"), w.about().BaseURL+"/v1")
	shots(t, ctx, device+"-empty")
	ask := func(how, conversation string, called bool) {
		body := strings.Replace(
			formats[0].request(true, called),
			`{"role":"user"`,
			`{"role":"system","content":"`+how+`"},{"role":"user"`,
			1,
		)
		send(t, w.url+formats[0].path, body, "X-Bonafide-Owner", "ann", "X-Bonafide-Conversation", conversation)
	}
	ask("", "c-1", false)
	require.Equal(t, "waiting for tools", textOf(t, ctx, `.turn[data-state="calling"] .badge`))
	require.Equal(t, "1\nturns", textOf(t, ctx, "#totals li:first-child"), "what is under way counts")
	ask("", "c-1", true)
	require.Equal(t, "passed", textOf(t, ctx, `.turn[data-state="passed"] .badge`))
	require.Contains(t, textOf(t, ctx, `.turn[data-state="passed"] .call`), "✓ delete_task")
	ask("lie", "c-2", false)
	require.Contains(t, textOf(t, ctx, `.turn[data-state="would"] .would`), "I've deleted Read book")
	ask("markup", "c-3", false)
	var title string
	var cards, images int
	require.NoError(t, chromedp.Run(ctx, chromedp.WaitVisible(`.turn[data-id="3"]`),
		chromedp.Poll(`document.querySelector('.turn[data-id="3"]').dataset.state !== "asking"`, nil), chromedp.Title(&title),
		chromedp.Evaluate(`document.querySelectorAll(".turns img, .turns b").length`, &images)))
	require.NotEqual(t, "owned", title)
	require.Zero(t, images, "a text became markup")
	shots(t, ctx, device+"-watching")
	send(t, w.url+formats[0].path, formats[0].request(true, false), "X-Bonafide-Mode", "nope")
	require.Contains(t, textOf(t, ctx, `.turn[data-state="unjudged"]`), "not judged")
	require.Equal(t, "4\nturns", textOf(t, ctx, "#totals li:first-child"))
	require.Equal(t, "1\nfailed, left or not judged", textOf(t, ctx, "#totals li:last-child"))
	require.NoError(t, chromedp.Run(ctx, chromedp.Click(`input[value="found"]`),
		chromedp.Evaluate(`[...document.querySelectorAll(".turn")].filter((e) => e.checkVisibility()).length`, &cards)))
	require.Equal(t, 2, cards, "only what was found")
	readable(t, ctx, width)
	require.NoError(t, chromedp.Run(ctx, chromedp.Reload(), chromedp.WaitVisible(`.turn[data-id="3"]`),
		chromedp.Evaluate(`document.querySelectorAll(".turn").length`, &cards)))
	require.Equal(t, 4, cards, "what was is shown again")
}

func acted(t *testing.T, device string, width, height int64) {
	t.Helper()
	w := newWorld(t, model(t, func(ctx context.Context, request simmodel.Request) simmodel.Answer {
		switch {
		case strings.Contains(request.System(), "proves"):
			return prover(ctx, request)
		case strings.Contains(request.System(), "lies"):
			return simmodel.Say(lie)
		}
		return simulated(ctx, request)
	}), "-enforce", "-proof", "always")
	ctx := tab(t, w, width, height)
	require.Contains(t, textOf(t, ctx, "#about"), "acts on what it finds")
	for _, how := range []string{"lies", "proves"} {
		body := strings.Replace(
			formats[0].request(false, how == "proves"),
			`{"role":"user"`,
			`{"role":"system","content":"`+how+`"},{"role":"user"`,
			1,
		)
		send(t, w.url+formats[0].path, body)
	}
	require.Contains(t, textOf(t, ctx, `.turn[data-state="refused"] .text`), "Nothing was changed")
	require.Contains(t, textOf(t, ctx, `.turn[data-state="refused"] .steps`), "asked again")
	require.Equal(t, "✓ I've deleted Read book. (call #1)", textOf(t, ctx, `.turn[data-state="proved"] .proof`))
	shots(t, ctx, device+"-acting")
	readable(t, ctx, width)
}

// readable holds the page against its width, and the colours of both themes
// against the contrast that people with weak eyes need.
func readable(t *testing.T, ctx context.Context, width int64) {
	t.Helper()
	var wide int64
	require.NoError(t, chromedp.Run(ctx, chromedp.Evaluate(`document.documentElement.scrollWidth`, &wide)))
	require.LessOrEqual(t, wide, width, "the page is wider than the screen")
	for _, scheme := range []string{"light", "dark"} {
		var weak []string
		feature := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
		require.NoError(
			t,
			chromedp.Run(ctx, emulation.SetEmulatedMedia().WithFeatures(feature), chromedp.Evaluate(weakContrast, &weak)),
		)
		require.Empty(t, weak, scheme)
	}
}

// weakContrast lists visible texts whose contrast with what lies under them is
// below 4.5 to 1.
const weakContrast = `(() => {
	const parse = (c) => { const [r, g, b, a = 1] = c.match(/[\d.]+/g).map(Number); return { r, g, b, a }; };
	const light = ({ r, g, b }) => {
		const f = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
		return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
	};
	const ground = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.a > 0.99) return c; } return { r: 255, g: 255, b: 255 }; };
	return [...document.querySelectorAll("body *")].filter((e) => {
		if (![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.checkVisibility() || e.closest(".hidden")) return false;
		const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground(e))];
		return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
	}).map((e) => e.className + ": " + e.textContent.slice(0, 40));
})()`

// about is what the page was told of the proxy.
func (w *world) about() about { return w.page.about }
