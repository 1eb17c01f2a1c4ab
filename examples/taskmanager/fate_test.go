package main

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

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
	v := visit(t, w.server.URL, "desktop", 1280, 800)
	v.fault("")
	v.do(chromedp.SendKeys("#message", "add a task to buy milk\r"), chromedp.WaitVisible(".message.unknown"))
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
	v := visit(t, w.server.URL, "desktop", 1280, 800)
	v.fault("")
	v.do(chromedp.SendKeys("#message", "add a task to buy milk\r"), chromedp.Poll(`!document.getElementById("progress").hidden`, nil))
	<-carriedOut
	v.do(chromedp.Reload(), chromedp.WaitVisible(lastAnswer))
	require.Equal(t, "Added: buy milk", v.text(lastAnswer+" .text"))
	require.Len(t, w.tasks("demo"), len(seedTasks)+1)
}

// TestKilledInMidDelete kills the server after it has deleted the row and before
// it could say so. The page says that it is not known; when the server is back it
// asks again with the same key, and learns the truth.
func TestKilledInMidDelete(t *testing.T) {
	browser := browser(t) // or skip
	database := sqliteFile(t)
	first := startProgram(t, "serve", "-dev", "-addr", "127.0.0.1:0", "-db", database, "-now", today)
	v := &visitor{t: t, ctx: browser, origin: first.address, device: "desktop"}
	v.listen()
	v.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(first.address), chromedp.WaitVisible(`#tasks li[data-title="Read book"]`))
	v.fault("slow")
	v.do(chromedp.SendKeys("#message", "delete Read book\r"))
	rows, err := openDatabase(t.Context(), database)
	check(t, err)
	t.Cleanup(func() { _ = rows.Close() })
	left := func(query string) (n int) {
		check(t, rows.QueryRow(query).Scan(&n))
		return n
	}
	const book = "SELECT COUNT(*) FROM tasks WHERE user_id = 'demo' AND title = 'Read book'"
	require.Eventually(t, func() bool { return left(book) == 0 }, 2*time.Minute, 20*time.Millisecond, "it is not deleted")
	first.kill()

	v.do(chromedp.WaitVisible(".message.unknown"))
	require.Contains(t, v.text(".message.unknown"), "It is not known whether this was carried out.")
	require.Equal(t, "unknown", v.state())
	require.Zero(t, v.count("#ideas button"), "it suggests what may have been done already")
	v.do(chromedp.Poll(`document.getElementById("fresh").textContent === "As it was before the server fell silent."`, nil))
	v.shot("killed")

	startProgram(t, "serve", "-dev", "-addr", strings.Trim(strings.TrimPrefix(first.address, "http://"), "/"), "-db", database, "-now", today)
	v.do(chromedp.Poll(`!document.querySelector(".message.unknown") && !document.getElementById("send").disabled`, nil, chromedp.WithPollingTimeout(60*time.Second)))
	require.Equal(t, "Deleted: Read book", v.text(lastAnswer+" .text"))
	require.Contains(t, v.text(lastAnswer), "nothing was done twice")
	require.Equal(t, "on", v.state())
	require.Equal(t, len(seedTasks)-1, left("SELECT COUNT(*) FROM tasks WHERE user_id = 'demo'"))
	require.Equal(t, 1, left("SELECT COUNT(*) FROM bonafide_records WHERE owner = 'demo' AND tool = 'delete_task'"))
}

// program is the task manager as a process of its own.
type program struct {
	command *exec.Cmd
	address string
}

// startProgram starts it and waits for its address.
func startProgram(t *testing.T, args ...string) *program {
	t.Helper()
	binary, err := os.Executable()
	check(t, err)
	p := &program{command: exec.Command(binary, args...)} // #nosec G204 -- this very test
	p.command.Env = append(os.Environ(), asProgram+"=1")
	p.command.Stderr = t.Output()
	out, err := p.command.StdoutPipe()
	check(t, err)
	check(t, p.command.Start())
	t.Cleanup(p.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	check(t, err)
	_, err = fmt.Sscanf(line, "The task manager is at %s", &p.address)
	check(t, err)
	return p
}

// kill ends it at once, as a crash would.
func (p *program) kill() {
	_ = p.command.Process.Kill() // it may be dead already
	_ = p.command.Wait()
}
