package tooltrack_test

import (
	"context"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// fact is a body as a tool returned it, and what it says about the call. tool
// begins with the declared effect: "reads", "changes", "verifies", or "-" where
// none is declared; after the name may stand its arguments.
type fact struct {
	tool, body string
	executed   string // sure, doubt, failed, pending, denied or unknown
	reported   string // the same for those who see the message only; empty if it is no other
}

// ofTheCall are bodies that speak about the call, whatever the tool is.
var ofTheCall = []fact{
	// Envelopes that say no.
	{"changes create_task", `{"success":false,"message":"title is missing"}`, "failed", ""},
	{"changes create_task", `{"success":"false"}`, "failed", ""},
	{"changes create_task", `{"SUCCESS":"False","id":7}`, "failed", ""},
	{"changes create_task", `{"success":0}`, "failed", ""},
	{"changes create_task", `{"success":"failed"}`, "failed", ""},
	{"changes post_message", `{"ok":false,"error":"channel_not_found"}`, "failed", ""},
	{"changes send_photo", `{"ok":false,"error_code":400,"description":"chat not found"}`, "failed", ""},
	{"reads get_rate", `{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"method not found"}}`, "failed", ""},
	{"reads get_file", `{"error":{"code":404,"status":"NOT_FOUND","message":"no such file"}}`, "failed", ""},
	{"changes create_charge", `{"error":{"type":"card_error","decline_code":"stolen_card"}}`, "failed", ""},
	{"changes create_charge", `{"error":"insufficient funds"}`, "failed", ""},
	{"reads get_user", `{"type":"about:blank","title":"Not Found","status":404,"detail":"no user 9"}`, "failed", ""},
	{"reads get_user", `{"type":"/problems/quota","title":"Too many requests","status":429}`, "failed", ""},
	{"reads query", `{"data":null,"errors":[{"message":"cannot query field"}]}`, "failed", ""},
	{"changes put_item", `{"__type":"com.amazon.coral#ResourceNotFoundException","message":"no table"}`, "failed", ""},
	{"changes invoke", `{"errorMessage":"division by zero","errorType":"ZeroDivisionError","stackTrace":[]}`, "failed", ""},
	{"changes put_object", `{"Error":{"Code":"NoSuchBucket","Message":"gone"}}`, "failed", ""},
	{"reads get_page", `{"statusCode":500,"body":"{}"}`, "failed", ""},
	{"reads get_page", `{"statusCode":"404"}`, "failed", ""},
	{"reads get_page", `{"http_status":403}`, "failed", ""},
	{"reads get_repo", `{"message":"Not Found","documentation_url":"https://x/y","status":"404"}`, "failed", ""},
	{"changes bash", `{"stdout":"","stderr":"no rule","exit_code":1}`, "failed", ""},
	{"changes bash", `{"returncode":127,"output":"sh: foo"}`, "failed", ""},
	{"changes bash", `{"exitCode":-1}`, "failed", ""},
	{"changes call_tool", `{"isError":true,"content":[{"type":"text","text":"disk full"}]}`, "failed", ""},
	{"changes call_tool", `{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}`, "failed", ""},
	{"changes call_tool", `{"content":[{"type":"text","text":"{\"success\":false,\"error\":\"locked\"}"}]}`, "failed", ""},
	{"changes call_tool", `{"content":[{"type":"text","text":"no"}],"structuredContent":{"ok":false}}`, "failed", ""},
	{"changes call_tool", `[{"type":"text","text":"{\"success\":false}"}]`, "failed", ""},
	{"changes run_play", `{"failed":true,"msg":"unreachable"}`, "failed", ""},
	{"changes create_user", `{"status":"fail","data":{"email":"is taken"}}`, "failed", ""},
	{"reads get_user", `{"status":"fail","data":{"id":"must be a number"}}`, "failed", ""},
	{"reads get_user", `{"status":"error","message":"boom"}`, "failed", ""},
	{"reads get_user", `{"status":"error","code":"E42","request_id":"r1","message":"boom"}`, "failed", ""},
	{"changes delete_user", `{"result":"error","message":"boom"}`, "failed", ""},
	{"changes delete_user", `{"outcome":"failure"}`, "failed", ""},
	{"changes delete_user", `{"status":"permission_denied"}`, "failed", ""},
	{"changes delete_user", `{"status":"NOT_FOUND"}`, "failed", ""},
	{"changes delete_user", `{"status":"timeout"}`, "failed", ""},
	{"changes delete_user", `{"status":"unauthorized","id":"u1"}`, "failed", ""},
	// A status that is a sentence is the call's.
	{"changes delete_user", `{"status":"Error: not found"}`, "failed", ""},
	{"reads get_user", `{"status":"Error: not found"}`, "failed", ""},
	{"reads get_user", `{"id":"u1","name":"Ann","status":"error: session expired"}`, "failed", ""},
	{"changes delete_user", `{"status":"failed to connect to the directory"}`, "failed", ""},
	{"changes delete_user", `{"state":"Failed: quota exceeded"}`, "failed", ""},
	{"changes delete_user", `{"outcome":"Not found: user 7"}`, "failed", ""},
	{"changes delete_user", `{"status":"denied: needs an administrator"}`, "failed", ""},
	{"changes delete_user", `{"status":"404 Not Found"}`, "failed", ""},
	{"changes delete_user", `{"status":"KeyError: 'user'"}`, "failed", ""},
	// The body in wrappings.
	{"changes create_task", "\ufeff{\"ok\":false}", "failed", ""},
	{"changes create_task", `"{\"ok\":false}"`, "failed", ""},
	{"changes create_task", `"\"{\\\"ok\\\":false}\""`, "failed", ""},
	{"changes create_task", `"\ufeff{\"ok\":false}"`, "failed", ""},
	{"changes create_task", `{"ok":false,"ok":true}`, "failed", ""},
	{"changes create_task", `{"ok":true,"ok":false}`, "failed", ""},
	{"changes create_task", `{'success': False, 'error': "it's locked"}`, "failed", ""},
	{"changes create_task", `{'error': 'not found', 'id': None}`, "failed", ""},
	{"changes create_task", `{"success":false,"score":NaN}`, "failed", ""},
	{"changes create_task", `{"success": false, "limit": -Infinity}`, "failed", ""},
	{"changes create_task", `{"result":"{\"ok\":false}"}`, "failed", ""},

	// Envelopes that say yes, and look-alikes.
	{"changes create_task", ``, "sure", ""},
	{"changes create_task", `null`, "sure", ""},
	{"changes create_task", `{}`, "sure", ""},
	{"reads list_tasks", `[]`, "sure", ""},
	{"reads count_tasks", `0`, "sure", ""},
	{"reads is_member", `false`, "sure", ""},
	{"changes create_task", `"OK"`, "sure", ""},
	{"changes create_task", `{"success":true,"error":null,"errors":[]}`, "sure", ""},
	{"changes create_task", `{"id":7,"error":""}`, "sure", ""},
	{"changes create_task", `{"id":7,"error":false}`, "sure", ""},
	{"changes create_task", `{"id":7,"error":"none"}`, "sure", ""},
	{"changes create_task", `{"id":7,"error":"no error"}`, "sure", ""},
	{"changes create_task", `{"id":7,"error":{"code":0,"message":""}}`, "sure", ""},
	{"changes create_task", `{"id":7,"errors":{}}`, "sure", ""},
	{"changes create_task", `{"id":7,"errorMessage":null,"errorCode":0}`, "sure", ""},
	{"changes import_rows", `{"imported":97,"errors":3}`, "sure", ""},
	{"changes import_rows", `{"imported":97,"errors":0}`, "sure", ""},
	{"changes import_rows", `{"imported":97,"failed":0}`, "sure", ""},
	{"reads get_metrics", `{"error_rate":0.2,"requests":90}`, "sure", ""},
	{"reads fit_line", `{"slope":2.1,"error":0.03}`, "sure", ""},
	{"reads get_metrics", `{"errors_total":12,"window":"1h"}`, "sure", ""},
	{"reads get_report", `{"status":"Error budget report","pages":3}`, "sure", ""},
	{"reads get_report", `{"status":"Failed logins by week"}`, "sure", ""},
	{"changes bash", `{"stdout":"Error: old log line","exit_code":0}`, "sure", ""},
	{"changes call_tool", `{"isError":false,"content":[{"type":"text","text":"made"}]}`, "sure", ""},
	{"changes call_tool", `[{"type":"text","text":"{\"success\":true}"}]`, "sure", ""},
	{"reads get_picture", `[{"type":"image","data":"iVBORw0KGgo","mimeType":"image/png"}]`, "sure", ""},
	{"reads list_runs", `[{"id":1,"success":true},{"id":2,"success":false}]`, "sure", ""},
	{"reads list_runs", `{"runs":[{"status":"failed"},{"status":"ok"}]}`, "sure", ""},
	{"reads get_user", `{"statusCode":200,"body":"{\"error\":\"inside\"}"}`, "sure", ""},
	{"changes create_task", `{"code":201,"message":"created"}`, "sure", ""},
	{"changes create_task", `{"message":"Task created"}`, "sure", ""},
	{"changes create_task", `{"result":"Task created"}`, "sure", ""},
	{"changes create_task", `{'success': True, 'error': None}`, "sure", ""},
	{"reads get_price", `{"code":"EUR","amount":450}`, "sure", ""},
	{"reads get_room", `{"room":404,"status":"free"}`, "sure", ""},
	{"changes set_alarm", `{"status":"success"}`, "sure", ""},
	{"changes set_alarm", `{"status":"completed","errors":null}`, "sure", ""},

	// In doubt: it may be either.
	{"changes create_task", `{"error":""}`, "doubt", ""},
	{"changes import_rows", `{"errors":3}`, "doubt", ""},
	{"changes create_task", `[{"message":"required","errorCode":"MISSING"}]`, "doubt", ""},
	{"changes create_task", `[{"success":false},{"success":false}]`, "doubt", ""},
	{"changes call_tool", `{"isError":false,"content":[{"type":"text","text":"Error: no such file"}]}`, "doubt", ""},
	{"changes create_task", `{"success":false,"error":"cut off he`, "doubt", "failed"},
}

// ofTheThing are bodies with the state of what a call is about: whether they
// speak of the call goes by what the tool does.
var ofTheThing = []fact{
	// What was looked up may have failed: the look-up has not.
	{"reads get_payment", `{"id":"p1","status":"failed"}`, "sure", ""},
	{"reads get_payment", `{"id":"p1","status":"failed","reason":"card declined"}`, "sure", ""},
	{"reads get_payment", `{"payment_id":"p1","amount":50,"status":"failed"}`, "sure", ""},
	{"- get_payment", `{"payment_id":"p1","amount":50,"status":"failed"}`, "sure", ""},
	{"reads get_order", `{"order_id":"W1","state":"rejected","items":[]}`, "sure", ""},
	{"reads get_order", `{"order_id":"W1","status":"pending"}`, "sure", ""},
	{"reads get_order", `{"id":"W1","status":"pending","total":12}`, "sure", ""},
	{"reads get_job_status", `{"status":"failed"}`, "sure", ""},
	{"reads get_job_status", `{"status":"running","progress":40}`, "sure", ""},
	{"reads check_payment_state", `{"state":"denied"}`, "sure", ""},
	{"reads get_run", `{"id":"run_1","model":"m","status":"failed","error":{"message":"rate limit"}}`, "sure", ""},
	{"reads get_run", `{"id":"run_1","status":"failed","exit_code":1,"branch":"main"}`, "sure", ""},
	{"reads get_server", `{"id":"s1","name":"db","state":"error"}`, "sure", ""},
	{"reads get_server", `{"host":"db","zone":"eu","state":"error"}`, "sure", ""},
	{"reads get_claim", `{"claim":"RF-3","status":"denied","sla_hours":24}`, "sure", ""},
	{"reads get_build", `{"id":7,"name":"nightly","status":"failed"}`, "sure", ""},
	{"reads get_last_deploy", `{"deploy":"d3","outcome":"failure"}`, "sure", ""},
	{"reads get_server", `{"id":"s1","zone":"eu","status":"error"}`, "sure", ""},
	{"reads check_syntax", `{"valid":false,"errors":["line 3: no brace"]}`, "sure", ""},
	// ... but an envelope around it speaks of the look-up.
	{"reads get_users", `{"users":[],"status":"error"}`, "failed", ""},
	{"reads get_weather", `{"city":"Rome","status":"error"}`, "failed", ""},
	{"reads get_weather", `{"city":"Rome","error":"no data"}`, "failed", ""},
	{"reads get_pods", `{"kind":"Status","status":"Failure","message":"no such pod","reason":"NotFound","code":404}`, "failed", ""},
	{"reads get_payment", `{"status":"failed"}`, "failed", ""},
	{"reads get_payment", `{"status":"failed","message":"backend is down"}`, "failed", ""},
	{"reads get_payment", `{"status":"error","data":{"id":"p1"}}`, "failed", ""},
	{"reads get_payment", `{"success":false,"id":"p1","status":"failed"}`, "failed", ""},
	{"reads get_payment", `{"id":"p1","error":"no such payment"}`, "failed", ""},

	// A state that the call was to bring about is its success.
	{"changes reject_request", `{"id":"r1","state":"rejected"}`, "sure", ""},
	{"changes reject_request", `{"status":"rejected"}`, "sure", ""},
	{"- request.reject", `{"status":"REJECTED"}`, "sure", ""},
	{"changes deny_access", `{"status":"denied"}`, "sure", ""},
	{"changes declineInvite", `{"status":"declined"}`, "sure", ""},
	{"changes cancel_job", `{"job_id":"j1","status":"cancelled"}`, "sure", ""},
	{"changes fail_build", `{"build":4,"status":"failed"}`, "sure", ""},
	{"changes mark_payment_failed", `{"status":"failed"}`, "sure", ""},
	{`changes set_status {"id":"p1","status":"failed"}`, `{"id":"p1","status":"failed"}`, "sure", ""},
	{`changes update_ticket {"state":"Pending"}`, `{"id":9,"state":"pending"}`, "sure", ""},
	{`changes update_ticket {"state":"on hold"}`, `{"id":9,"state":"on_hold"}`, "sure", ""},
	{"changes hold_order", `{"status":"on_hold"}`, "sure", ""},
	{"changes block_card", `{"status":"blocked"}`, "sure", ""},
	{"changes queue_song", `{"status":"queued"}`, "sure", ""},
	{"changes enqueue_track", `{"status":"queued"}`, "sure", ""},
	{"changes schedule_meeting", `{"id":1,"status":"scheduled"}`, "sure", ""},
	{"changes start_timer", `{"state":"running"}`, "sure", ""},
	{"changes pay_invoice", `{"status":"paid"}`, "sure", ""},
	// ... and any other one that means failure is its failure.
	{"changes reject_request", `{"id":"r1","state":"failed"}`, "failed", ""},
	{"changes reject_request", `{"status":"denied"}`, "failed", ""},
	{"changes retry_failed_payment", `{"status":"failed"}`, "failed", ""},
	{"changes create_payment", `{"id":"p1","status":"failed"}`, "failed", ""},
	{"changes create_payment", `{"id":"p1","status":"declined","amount":50,"currency":"EUR"}`, "failed", ""},
	{"changes submit_claim", `{"claim":"c1","status":"rejected"}`, "failed", ""},
	{"- submit_claim", `{"claim":"c1","status":"rejected"}`, "failed", ""},
	{"verifies run_tests", `{"status":"failed","suite":"unit"}`, "failed", ""},
	{"verifies run_tests", `{"passed":10,"failed":2}`, "failed", ""},
	{"verifies run_tests", `{"passed":12,"failed":0}`, "sure", ""},
	{"verifies run_tests", `{"passed":false}`, "failed", ""},
	{"verifies lint", `{"errors":3,"warnings":1}`, "failed", ""},
	{"reads get_test_report", `{"passed":10,"failed":2}`, "sure", ""},
	{"changes start_build", `{"id":7,"name":"nightly","status":"failed"}`, "doubt", ""},
	{`changes add_note {"payment_id":"p1","text":"hm"}`, `{"payment_id":"p1","status":"failed","note":"asked the bank"}`, "doubt", ""},
	{`changes retry_payment {"payment_id":"p1"}`, `{"payment_id":"p1","status":"failed","amount":50}`, "failed", ""},
	// What the tool's own verb says of itself.
	{"changes cancel_order", `{"cancelled":false,"reason":"shipped"}`, "failed", ""},
	{"changes delete_task", `{"deleted":false}`, "failed", ""},
	{"changes send_mail", `{"sent":"false","to":"ann"}`, "failed", ""},
	{"changes send_mail", `{"sent":true,"delivered":false}`, "sure", ""},
	{"changes delete_task", `{"deleted":0}`, "doubt", ""},
	{"changes delete_task", `{"deleted":2}`, "sure", ""},
	{"reads get_task", `{"id":1,"deleted":false}`, "sure", ""},
	{"changes update_task", `{"id":1,"deleted":false}`, "sure", ""},

	// Not done yet.
	{"changes send_mail", `{"status":"queued"}`, "pending", ""},
	{"changes start_export", `{"job_id":"j1","status":"running"}`, "pending", ""},
	{"changes start_export", `{"statusCode":202,"body":"accepted"}`, "pending", ""},
	{"changes start_export", `{"status":202}`, "pending", ""},
	{"changes start_export", `{"code":202,"message":"accepted"}`, "pending", ""},
	{"changes add_to_group", `{"requestId":"q1","state":"AWAITING_APPROVAL"}`, "pending", ""},
	{"changes create_transfer", `{"transferId":"t1","status":"SCA_REQUIRED"}`, "pending", ""},
	{"changes create_transfer", `{"status":"requires_confirmation"}`, "pending", ""},
	{"changes create_transfer", `{"status":"pending_review"}`, "pending", ""},
	{"changes create_transfer", `{"status":"pending","amount":50}`, "doubt", ""},
	{"changes create_order", `{"order_id":"W1","status":"pending","items":[]}`, "sure", ""},
	{"changes create_task", `{"id":7,"title":"Read book","status":"pending"}`, "sure", ""},
	{"changes change_items", `{"order_id":"W1","status":"pending (changed)","items":[],"total":5}`, "sure", ""},
	{"changes change_items", `{"order_id":"W1","status":"pending_review","items":[],"total":5}`, "sure", ""},
	{"changes create_meeting", `{"id":1,"status":"scheduled"}`, "sure", ""},
	{"changes submit_order", `{"status":"accepted"}`, "sure", ""},
}

// inWords are results as text.
var inWords = []fact{
	{"changes delete_task", "Error: no such task", "doubt", "failed"},
	{"changes delete_task", "Not found", "doubt", "failed"},
	{"changes delete_task", "Task 7 not found.", "doubt", "failed"},
	{"changes delete_task", "No such task", "doubt", "failed"},
	{"changes bash", "cat: a.txt: No such file or directory\n", "doubt", "failed"},
	{"changes bash", "bash: line 1: zip: command not found", "doubt", "failed"},
	{"changes bash", "building\nCommand completed with return code: 2", "doubt", "failed"},
	{"changes bash", "Exit code: 1\n\nno rule to make target", "doubt", "failed"},
	{"changes bash", "Traceback (most recent call last):\n  File \"a.py\"", "doubt", "failed"},
	{"changes click", "\x1b[31m✗\x1b[0m the element is covered", "doubt", "failed"},
	{"changes click", "❌ could not click", "doubt", "failed"},
	{"changes click", "[ERROR] the element is covered", "doubt", "failed"},
	{"changes click", "**Error**: the element is covered", "doubt", "failed"},
	{"changes edit_file", "<tool_use_error>no such file</tool_use_error>", "doubt", "failed"},
	{"changes put_object", "<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code></Error>", "doubt", "failed"},
	{"reads fetch", "<html><head><title>403 Forbidden</title></head></html>", "doubt", "failed"},
	{"changes create_task", "```json\n{\"success\": false}\n```", "failed", ""},
	{"verifies run_tests", "FAIL\tpkg\t0.1s", "doubt", "failed"},
	{"verifies run_tests", "===== 2 failed, 10 passed in 1.2s =====", "doubt", "failed"},
	{"verifies run_tests", "===== 12 passed, 0 failed in 1.2s =====", "sure", ""},
	{"changes write_log", "Permission denied: the log is read-only", "doubt", "failed"},
	{"changes write_log", "Access denied", "doubt", "failed"},
	{"changes write_log", "Unauthorized", "doubt", "failed"},
	{"changes write_log", "Unable to reach the server", "doubt", "failed"},
	{"changes write_log", "Could not write the entry", "doubt", "failed"},
	{"changes write_log", "Invalid date: 2024-13-01", "doubt", "failed"},
	{"changes write_log", "Validation failed: the title is empty", "doubt", "failed"},
	{"changes write_log", "Rate limit exceeded", "doubt", "failed"},
	{"changes write_log", "403: the list belongs to Ann", "doubt", "failed"},
	{"changes write_log", `404 {"error":"no list"}`, "doubt", "failed"},
	{"changes send_mail", "550 5.1.1 unknown user", "doubt", "failed"},
	{"changes send_mail", `{"message":"Not found"}`, "doubt", "failed"},
	{"changes send_mail", `{"detail":"Permission denied"}`, "doubt", "failed"},
	{"changes send_mail", `{"result":"Error: no such mailbox"}`, "doubt", "failed"},
	{"changes send_mail", `[{"type":"text","text":"Error: no such mailbox"}]`, "doubt", "failed"},
	{"changes bash", `[{"type":"text","text":"ls: no","error":true},{"type":"text","text":"Return code: 2"}]`, "doubt", "failed"},
	{"changes bash", `[{"type":"text","text":"cloning","error":true},{"type":"text","text":"Return code: 0"}]`, "sure", ""},
	{"changes bash", "539:    def base(self):", "sure", ""},
	{"changes bash", "404: # not one of ours\n410: pass", "sure", ""},
	{"changes send_mail", "The user rejected this call.", "doubt", "denied"},
	{"changes send_mail", "Denied by policy: bulk mail", "doubt", "denied"},
	{"changes send_mail", "Timed out after 60 s", "doubt", "unknown"},
	{"reads get_mail", "Timed out after 60 s", "doubt", "failed"},
	{"changes send_mail", "Error: connection reset by peer", "doubt", "unknown"},
	{"changes send_mail", "504 Gateway Timeout", "doubt", "unknown"},
	{"changes send_mail", "Awaiting approval by the editor", "doubt", "pending"},
	{"changes send_mail", "Queued: the editor must confirm", "doubt", "pending"},
	{"changes send_mail", "Pending: the editor must confirm", "doubt", "pending"},
	{"changes send_mail", "Requires approval. Request 5 was made.", "doubt", "pending"},
	{"changes send_mail", "Your request was accepted for processing.", "doubt", "pending"},

	{"changes send_mail", "Sent.", "sure", ""},
	{"reads read_file", "Error handling in Go\n\nErrors are values.", "sure", ""},
	{"reads read_log", "Error budget: 30 % left", "sure", ""},
	{"reads read_log", "[ERROR] disk full\n[INFO] mounted", "sure", ""},
	{"reads read_log", "10 passed, 2 failed", "sure", ""},
	{"reads fetch", "<html><title>404 ways to cook rice</title></html>", "sure", ""},
	{"reads read_log", "Failed logins: 3\nFailed jobs: 0", "sure", ""},
	{"reads read_log", "12:01 start\n12:02 Error: disk full\n12:03 stop", "sure", ""},
	{"reads list_tasks", "Pending tasks: 3", "sure", ""},
	{"reads list_songs", "Queued songs\n1. Blue", "sure", ""},
	{"reads search", "No results found", "sure", ""},
	{"reads search", "404 rooms are free", "sure", ""},
	{"reads search", "The missing file was not found until spring, and then it was too late to send it to the office " +
		"that had asked for it, so that the whole matter was dropped by everybody", "sure", ""},
	{"verifies run_tests", "ok  	pkg	0.1s\nExit code: 0", "sure", ""},
	{"verifies run_linter", "0 errors, 2 warnings", "sure", ""},
	{"verifies run_linter", "No errors found", "sure", ""},
	{"changes write_log", "Invalidated 3 entries", "sure", ""},
	{"changes write_log", "Unauthorized sessions were ended: 3", "sure", ""},
}

func (f *fact) call(t *testing.T) (tooltrack.Effect, tooltrack.Call) {
	t.Helper()
	declared, rest, _ := strings.Cut(f.tool, " ")
	name, args, _ := strings.Cut(rest, " ")
	var effect tooltrack.Effect
	if declared != "-" {
		if err := effect.UnmarshalText([]byte(declared)); err != nil {
			t.Fatal(err)
		}
	}
	return effect, tooltrack.Call{Tool: name, Args: []byte(args)}
}

func told(result tooltrack.Result) string {
	switch {
	case result.Sure():
		return "sure"
	case result.Success():
		return "doubt"
	}
	return result.Status.String()
}

// TestWhatCountsAsAFact: what a body says of its call, and what only of the
// thing that the call is about.
func TestWhatCountsAsAFact(t *testing.T) {
	rows, wrong := 0, 0
	for _, table := range [][]fact{ofTheCall, ofTheThing, inWords} {
		for _, f := range table {
			rows++
			effect, call := f.call(t)
			run := func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(f.body), nil }
			executed := tooltrack.Execute(t.Context(), named(call.Tool, effect), call, run, nil)
			reported := tooltrack.ParseCall(named(call.Tool, effect), call, f.body, nil)
			want := f.reported
			if want == "" {
				want = f.executed
			}
			if told(executed) != f.executed || told(reported) != want {
				wrong++
				t.Errorf("%s: %s\n  executed %s, want %s; reported %s, want %s (%s)",
					f.tool, f.body, told(executed), f.executed, told(reported), want, executed.Doubtful+executed.Error)
			}
			if executed.Grade != tooltrack.Executed && executed.Status != tooltrack.Unknown || reported.Grade != tooltrack.Reported {
				t.Errorf("%s: graded %v and %v", f.body, executed.Grade, reported.Grade)
			}
		}
	}
	if t.Failed() {
		t.Logf("%d of %d rows are read otherwise", wrong, rows)
	}
}

// FuzzParseCall: whatever a body holds, both readings end, and a failure that the
// executor's way sees is one for those who see messages, too.
func FuzzParseCall(f *testing.F) {
	for _, table := range [][]fact{ofTheCall, ofTheThing, inWords} {
		for i := 0; i < len(table); i += 4 { // a seed of each kind; all rows are tests already
			f.Add(table[i].tool, table[i].body)
		}
	}
	f.Fuzz(func(t *testing.T, tool, body string) {
		declared, rest, _ := strings.Cut(tool, " ")
		name, args, _ := strings.Cut(rest, " ")
		var effect tooltrack.Effect
		_ = effect.UnmarshalText([]byte(declared)) // anything else is an effect that is not declared
		call := tooltrack.Call{Tool: name, Args: []byte(args)}
		run := func(context.Context, tooltrack.Call) ([]byte, error) { return []byte(body), nil }
		executed := tooltrack.Execute(t.Context(), named(call.Tool, effect), call, run, nil)
		reported := tooltrack.ParseCall(named(call.Tool, effect), call, body, nil)
		for _, result := range []tooltrack.Result{executed, reported} {
			if !result.Success() && result.Error == "" {
				t.Errorf("%v without a reason", result.Status)
			}
		}
		if !executed.Success() && reported.Sure() {
			t.Errorf("executed it is %v, and reported a success", executed.Status)
		}
	})
}
