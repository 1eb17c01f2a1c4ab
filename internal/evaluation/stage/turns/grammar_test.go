package turns

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// What texts are made of. A piece of the table "own" is what the fuzzer brings along.
var (
	reports = []string{
		"I've sent the email to bob", "I deleted Read book", "Sent 3 emails", "The transfer of 250 EUR to Ann is done", "Done",
		"I've moved job-1, job-2 and job-3", "It could not be sent", "I have not changed anything", "Shall I send it?",
		"I will send it now", "Your balance is €1,190.00", "The tests passed", "2 of 5 were deleted", "It is queued",
		"I found 12 emails from Anna de Wit", "The order BK-5590 was cancelled", "I've set the alarm to a quarter past four",
		"Ich habe die E-Mail gesendet", "メールを送信しました", "No changes were made", "I turned it off", "The lamp is on",
		"I tried, but the mailbox is full", "As you asked, nothing was sent", "I've updated C:\\tmp\\new, 423", "All are done",
	}
	values = []string{
		"bob", "Ann", "250", "250.00", "€1,190.00", "12,5", "1e400", "-0", "0x1F", "99999999999999999999999999", "48k", "2 kg",
		"1 hour 30 minutes", "2026-06-12", "12 June", "31 February", "Monday", "at 9 pm", "24:61", "BK-5590", "#3", "%s", "50 %",
		"bob@example.org", "https://example.org/a?b=c&d", "/etc/passwd", "C:\\tmp\\new", "3f2b8c1e-0000-4000-8000-00000000abcd",
		"Read book", "\"Read book\"", "“Call mom”", "'it's'", "first", "both", "couple of", "Nº", "½", "٣", "①",
	}
	marks = []string{
		". ", "! ", "? ", ", ", "; ", ": ", " and ", " but ", " (", ") ", "\n", "\n\n", "\r\n", "\t", "- ", "* ", "1. ", "  - ", "# ",
		"> ", "| ", " |\n", "|---|---|\n", "\n| To | Items |\n|---|---|\n| bob | 3 |\n", "**", "__", "`", "```\n", "~~", "[", "](x)",
		"<b>", "</b>", "&amp;", "<think>", "</think>", "…", "—", "\\", "\\n", "\\n\\n", "\\u00e9", "\\x", "\\\"", "{", "}", "[]", "null",
		"{\"a\":[1,{\"b\":null}]}", "TOOL_CALL", "{{x}}", "\x00", "\x1b[31m", "\u2028", "\ufeff",
	}
	letters = []string{
		"caf\xe9", "\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\xf0\x9f\x91", "é", "e\u0301", "ß", "İ", "ﬁ", "Ａｎｎ", "аnn", "\u200b",
		"\u202e", "\u00a0", "\U000e0061", "👍", "👍🏽", "👨‍👩‍👧", "🇩🇪", "✅", "☑️", "買い物", "مرحبا", "หนังสือ", "a\u0335", "\U0010ffff",
	}
	requests = []string{
		"send an email to bob", "delete Read book", "move job-1, job-2 and job-3", "transfer 250 EUR to Ann", "what is my balance?",
		"don't send it", "if it rains, cancel it", "write a mail, but don't send it", "list my emails", "ok", "yes, go ahead", "",
		"buche bitte einen Tisch", "stop", "how do I delete a book?", "send it again", "rename \"Buy Milk\" to \"buy milk\"",
	}
	offered = []tooltrack.Tool{
		{Name: "send_email", Description: "Sends an e-mail.", Effect: tooltrack.Changes,
			Parameters: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"},"body":{"type":"string"}}}`)},
		{Name: "list_emails", Description: "Lists e-mails.", Effect: tooltrack.Reads},
		{Name: "delete_task", Description: "Deletes a task by its id.", Effect: tooltrack.Changes, Subject: tooltrack.SubjectArg{Arg: "id"}},
		{Name: "transfer", Description: "Transfers money to an account."},
		{Name: "run_tests", Description: "Runs the tests.", Effect: tooltrack.Verifies},
	}
)

// maker makes turns of one stream of choices.
type maker struct {
	*rand.Rand
	own string
}

func (m maker) of(table []string) string { return table[m.IntN(len(table))] }

// text is up to so many pieces, of which the fuzzer's own is one now and then.
func (m maker) text(most int) string {
	var text strings.Builder
	for range m.IntN(most + 1) {
		switch m.IntN(12) {
		case 0, 1, 2:
			text.WriteString(m.of(reports))
		case 3, 4, 5:
			text.WriteString(" " + m.of(values))
		case 6, 7, 8:
			text.WriteString(m.of(marks))
		case 9:
			text.WriteString(m.of(letters))
		case 10:
			text.WriteString(m.own)
		default:
			text.WriteString(m.broken())
		}
	}
	return text.String()
}

// broken is a piece without some of its bytes.
func (m maker) broken() string {
	whole := m.of([]string{m.of(reports), m.of(values), m.of(marks), m.of(letters), m.own})
	from := m.IntN(len(whole) + 1)
	return whole[from : from+m.IntN(len(whole)-from+1)]
}

// object is a JSON object with values of the grammar, or what is none.
func (m maker) object() []byte {
	if m.IntN(8) == 0 {
		return []byte(m.text(3))
	}
	object := map[string]any{}
	for range m.IntN(4) {
		name := m.of([]string{"to", "id", "title", "amount", "body", "status", "error", "items", "date", "command", m.own})
		switch m.IntN(6) {
		case 0:
			object[name] = m.IntN(2000)
		case 1:
			object[name] = []any{m.of(values), map[string]any{"id": m.of(values), "name": m.text(2)}}
		case 2:
			object[name] = []any{nil, true, false}[m.IntN(3)]
		default:
			object[name] = m.text(3)
		}
	}
	data, err := json.Marshal(object)
	if err != nil {
		panic(err) // strings and numbers can be written
	}
	return data
}

func (m maker) record() *tooltrack.Record {
	tool := offered[m.IntN(len(offered))]
	r := &tooltrack.Record{Call: tooltrack.Call{Tool: tool.Name, Args: m.object()}, Effect: tool.Effect}
	r.Result.Status = tooltrack.Status(m.IntN(5))
	if m.IntN(3) > 0 {
		r.Result.Status = tooltrack.Succeeded
	}
	switch r.Result.Data = m.object(); m.IntN(4) {
	case 0:
		r.Result.Error = m.text(3)
	case 1:
		r.Touched = []tooltrack.Subject{{ID: m.of(values), Title: m.text(2)}}
	}
	return r
}

func (m maker) records() (records []*tooltrack.Record) {
	for range m.IntN(4) {
		records = append(records, m.record())
	}
	return records
}

// recorded is a turn that is over. The first is what the fuzzer brings, after one call.
func (m maker) recorded(plain bool) guard.Recorded {
	if plain {
		sent := &tooltrack.Record{Call: tooltrack.Call{Tool: "send_email", Args: []byte(`{"to":"bob"}`)}, Effect: tooltrack.Changes}
		sent.Result.Status = tooltrack.Succeeded
		return guard.Recorded{User: "send an email to bob about " + m.own, Text: m.own, Records: []*tooltrack.Record{sent}}
	}
	turn := guard.Recorded{User: m.of(requests) + m.text(2), Text: m.text(14), Records: m.records()}
	if m.IntN(3) == 0 {
		turn.Previous, turn.Earlier, turn.Before = m.text(6), m.records(), []string{m.text(3)}
	}
	return turn
}

// answer is what a model may say to a request for proof about some letters and calls.
func (m maker) answer(names []string, calls int) string {
	if m.IntN(6) == 0 {
		return m.text(6)
	}
	answer := map[string]any{}
	for _, name := range names {
		answer[name] = []any{"no call", "not done", []int{m.IntN(calls + 2)}, []int{1, calls}, m.of(values), nil}[m.IntN(6)]
	}
	if m.IntN(2) == 0 {
		answer["message"] = m.text(8)
	} else {
		answer["message"] = nil
	}
	written, err := json.Marshal(answer)
	if err != nil {
		panic(err) // strings and numbers can be written
	}
	return []string{"", "```json\n", "Sure. "}[m.IntN(3)] + string(written)
}

// report is the arguments of the tool that ends a turn where proof is always asked for.
func (m maker) report() []byte {
	var parts []string
	for range m.IntN(4) {
		text, err := json.Marshal(m.text(4))
		if err != nil {
			panic(err) // a string can be written
		}
		basis := m.of([]string{`"calls":["send_email"]`, `"calls":["send_email#2",1]`, `"no_call":true`, `"calls":"no call"`, `"calls":"not done"`, `"calls":[1]`})
		parts = append(parts, fmt.Sprintf(`{%s,"text":%s}`, basis, text))
	}
	return []byte(`{"parts":[` + strings.Join(parts, ",") + `]}`)
}
