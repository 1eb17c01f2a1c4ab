package transcripts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"
)

// logWriter makes conversations as they are read, so that a test can read more
// than would fit into memory.
type logWriter struct {
	left, made int
	tools      int // how many different sets of tools the log has
	buffer     bytes.Buffer
}

const turnsInLog = 5 // of each conversation

func (w *logWriter) Read(into []byte) (int, error) {
	for w.buffer.Len() < len(into) && w.left > 0 {
		w.left--
		w.made++
		w.conversation(w.made)
	}
	if w.buffer.Len() == 0 {
		return 0, io.EOF
	}
	return w.buffer.Read(into)
}

type anything = map[string]any

// conversation writes one line: a shop's agent that looks up an order, changes
// it, reports, and in every tenth conversation claims a refund nobody made.
func (w *logWriter) conversation(n int) {
	messages := []anything{{"role": "system", "content": "You are the agent of a small shop. Be brief and kind."}}
	say := func(role, text string) { messages = append(messages, anything{"role": role, "content": text}) }
	call := func(tool string, args anything, result string) {
		id := fmt.Sprintf("call_%d_%d", n, len(messages))
		raw, _ := json.Marshal(args)
		messages = append(messages,
			anything{"role": "assistant", "content": nil, "tool_calls": []anything{{"id": id, "type": "function", "function": anything{"name": tool, "arguments": string(raw)}}}},
			anything{"role": "tool", "tool_call_id": id, "content": result})
	}
	order := fmt.Sprintf("B-%05d", n)
	say("user", "Hello! I have a question about order "+order+".")
	say("assistant", "Hello! What would you like to know about it?")
	say("user", "Where is it right now? It was due on Monday, and I would like to know whether I can still change the address.")
	call("get_order", anything{"order": order}, fmt.Sprintf(`{"order":%q,"status":"packed","items":[{"name":"kettle","price":39.5},{"name":"two mugs","price":18}],"address":{"street":"Mill Lane 4","city":"Leeds"}}`, order))
	say("assistant", "Your order "+order+" with a kettle and two mugs is packed and has not left yet, so the address can still be changed. Where should it go?")
	say("user", "Please change the address of order "+order+" to 12 Harbour Street, Hull.")
	call("update_address", anything{"order": order, "address": "12 Harbour Street, Hull"}, `{"success":true}`)
	say("assistant", "I've updated the address of order "+order+" to 12 Harbour Street, Hull. It leaves tomorrow morning.")
	say("user", "Great. And cancel the mugs, please.")
	call("cancel_item", anything{"order": order, "item": "two mugs"}, `{"success":true,"refund":18}`)
	if n%10 == 0 {
		say("assistant", "I've cancelled the mugs, and I have sent you a voucher of five pounds by e-mail.")
	} else {
		say("assistant", "I've cancelled the two mugs of order "+order+".")
	}
	say("user", "Thank you, that is all.")
	say("assistant", "You're welcome! Enjoy your kettle.")
	line, _ := json.Marshal(anything{"id": order, "model": fmt.Sprintf("model-%d", n%3), "messages": messages, "tools": shopTools(n % max(1, w.tools))})
	w.buffer.Write(append(line, '\n'))
}

func shopTools(version int) []anything {
	tool := func(name, description string, args ...string) anything {
		properties := anything{}
		for _, arg := range args {
			properties[arg] = anything{"type": "string"}
		}
		return anything{"type": "function", "function": anything{"name": name, "description": description,
			"parameters": anything{"type": "object", "properties": properties, "required": args}}}
	}
	return []anything{
		tool("get_order", fmt.Sprintf("Get the details of an order (version %d).", version), "order"),
		tool("update_address", "Change the address that an order is sent to.", "order", "address"),
		tool("cancel_item", "Cancel an item of an order.", "order", "item"),
		tool("send_voucher", "Send a voucher to the customer.", "customer", "amount"),
	}
}

// audited reads a made-up log and returns the report.
func audited(tb testing.TB, conversations, tools int, args ...string) *Report {
	tb.Helper()
	var out, errs bytes.Buffer
	if status := Run(append(args, "-json", "-"), &logWriter{left: conversations, tools: tools}, &out, &errs); status != exitFine {
		tb.Fatalf("exit status %d: %s", status, &errs)
	}
	var answer struct {
		Findings []Finding `json:"findings"`
		Report   *Report   `json:"report"`
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		tb.Fatal(err)
	}
	if len(answer.Findings) < answer.Report.Ghosts {
		tb.Errorf("%d findings for %d ghosts", len(answer.Findings), answer.Report.Ghosts)
	}
	return answer.Report
}

func TestHundredThousandTurnsInAMinute(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a quarter of a minute")
	}
	const turns = 100_000
	began := time.Now()
	report := audited(t, turns/turnsInLog, 3)
	took := time.Since(began)
	t.Logf("%d turns in %.1f s on %d processors", report.Turns, took.Seconds(), runtime.GOMAXPROCS(0))
	if report.Turns != turns || report.Ghosts != turns/turnsInLog/10 {
		t.Errorf("%d turns and %d ghosts; want %d and %d", report.Turns, report.Ghosts, turns, turns/turnsInLog/10)
	}
	if took > time.Minute {
		t.Errorf("it took %s", took)
	}
}

// peak runs an audit and returns the most memory that was in use meanwhile.
func peak(t *testing.T, conversations int) uint64 {
	t.Helper()
	runtime.GC()
	stop, done := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				var stats runtime.MemStats
				runtime.ReadMemStats(&stats)
				most = max(most, stats.HeapAlloc)
			case <-stop:
				done <- most
				return
			}
		}
	}()
	status := Run([]string{"-html", t.TempDir() + "/page.html", "-"}, &logWriter{left: conversations, tools: 2}, io.Discard, io.Discard)
	close(stop)
	if status != exitFine {
		t.Fatalf("exit status %d", status)
	}
	return <-done
}

func TestMemoryDoesNotGrowWithTheInput(t *testing.T) {
	if testing.Short() {
		t.Skip("reads tens of thousands of turns")
	}
	small := peak(t, 1_500) // enough to fill what is kept for the page
	large := peak(t, 12_000)
	t.Logf("peak heap: %d MiB for 7,500 turns, %d MiB for 60,000", small>>20, large>>20)
	if large > 2*small {
		t.Errorf("eight times the input takes %d MiB instead of %d", large>>20, small>>20)
	}
}

func BenchmarkTurns(b *testing.B) {
	for _, tools := range []int{1, 200} {
		b.Run(fmt.Sprintf("tool sets=%d", tools), func(b *testing.B) {
			turns := 0
			for b.Loop() {
				turns += audited(b, 400, tools).Turns
			}
			b.ReportMetric(float64(turns)/b.Elapsed().Seconds(), "turns/s")
		})
	}
}
