package chatwire_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// usages are the usages of an answer, of which the n-th answer has n times as much.
var usages = map[string]func(n int) string{
	"/v1/chat/completions": func(n int) string {
		return fmt.Sprintf(`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"cost":0.5,"prompt_tokens_details":{"cached_tokens":%d,"audio_tokens":0},`+
			`"completion_tokens_details":{"reasoning_tokens":%d,"accepted_prediction_tokens":0}}`, 100*n, 10*n, 110*n, 80*n, 4*n)
	},
	"/v1/messages": func(n int) string {
		return fmt.Sprintf(`"usage":{"input_tokens":%d,"output_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,`+
			`"cache_creation":{"ephemeral_5m_input_tokens":%d},"service_tier":"standard"}`, 20*n, 10*n, 70*n, 10*n, 10*n)
	},
	"/v1/responses": func(n int) string {
		return fmt.Sprintf(`"usage":{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}`,
			100*n, 80*n, 10*n, 4*n, 110*n)
	},
}

var anyUsage = regexp.MustCompile(`"usage":\{[^{}]*\}`)

// TestUsageOfAChangedAnswer is the sum of all answers to the request, to the last of its
// details; that of an answer that is handed out as it came is its own.
func TestUsageOfAChangedAnswer(t *testing.T) {
	kept := `{"message":null,"items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	corrected := `{"message":"t1 has been taken off.","items":[{"what":"t1 deleted","status":"done","records":[1]}]}`
	for _, f := range forms() {
		for _, c := range []struct {
			name   string
			proofs []string
			times  int // the usage of the first answer, in all
		}{
			{"kept", []string{kept}, 1},
			{"corrected", []string{corrected}, 1 + 2},
			{"no proof", []string{"no", "no"}, 1 + 2 + 3},
			{"nobody is asked", nil, 1},
		} {
			t.Run(f.name+", "+c.name, func(t *testing.T) {
				var answers []string
				for i, text := range append([]string{"Good evening. t1 is gone from your list. "}, c.proofs...) {
					said, usage := f.say(text, "end", 1, 1), usages[f.path](i+1)
					if f.name == "Messages, streamed" { // its beginning counts what goes in, its end what came out
						said = strings.Replace(said, `"usage":{"output_tokens":1}`, fmt.Sprintf(`"usage":{"output_tokens":%d}`, 10*(i+1)), 1)
					}
					at := anyUsage.FindStringIndex(said)
					answers = append(answers, said[:at[0]]+usage+said[at[1]:])
				}
				u := newUpstream(t, answers...)
				status, got, _ := post(t, context.Background(), chatwire.Transport(doubtful(t), nil, nil), u.URL+f.path, f.request)
				if status != http.StatusOK {
					t.Fatalf("%d %s", status, got)
				}
				var told, want any
				if err := json.Unmarshal([]byte("{"+usageIn(got)+"}"), &told); err != nil {
					t.Fatalf("%v in %s", err, got)
				}
				_ = json.Unmarshal([]byte("{"+usages[f.path](c.times)+"}"), &want)
				if fmt.Sprint(told) != fmt.Sprint(want) {
					t.Errorf("the client is told %v, and not %v", told, want)
				}
				if end := fmt.Sprintf(`"usage":{"output_tokens":%d}`, 10*c.times); f.name == "Messages, streamed" && !strings.Contains(got, end) {
					t.Errorf("%s does not end with %s", got, end)
				}
			})
		}
	}
}

// usageIn is the first usage of a body.
func usageIn(body string) string {
	from := strings.Index(body, `"usage":{`)
	for to := from; ; to++ {
		if body[to] == '}' && strings.Count(body[from:to+1], "{") == strings.Count(body[from:to+1], "}") {
			return body[from : to+1]
		}
	}
}
