package transcripts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/report"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
)

// A referee answers questions about unsure turns. An empty answer is none. It
// must be safe for concurrent use.
type referee interface {
	answer(ctx context.Context, q *question) (string, error)
}

// httpReferee asks a model that speaks chat completions.
type httpReferee struct {
	url, model string
	key        string // goes into one header, and nowhere else
	client     *http.Client
	wait       func(ctx context.Context, d time.Duration) error
	failures   atomic.Int32 // in a row
}

const (
	refereeTries   = 3
	refereeTimeout = 2 * time.Minute
	refereeRest    = 2 * time.Second // before the second try; twice that before the third
	maxRest        = time.Minute
	maxAnswer      = 4 << 20
	// refereeGivesUp is how many questions in a row may fail before no more are
	// asked: a server that is down need not be asked a thousand times.
	refereeGivesUp = 5
	// refereeAtOnce is how many conversations are under way when each may wait for an answer.
	refereeAtOnce = 8
)

var errRefereeGone = errors.New("the referee has not answered several questions in a row and is not asked any more")

// newHTTPReferee takes address and key from the variables that the clients of
// this interface read.
func newHTTPReferee(model string, env func(string) string) *httpReferee {
	base := strings.TrimSuffix(env("OPENAI_BASE_URL"), "/")
	if base == "" {
		base = "https://api.openai.com/v1"
	}
	return &httpReferee{
		url: base + "/chat/completions", model: model, key: env("OPENAI_API_KEY"),
		client: &http.Client{Timeout: refereeTimeout}, wait: rest,
	}
}

func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// answer asks, and asks again where the server says that it is busy.
func (r *httpReferee) answer(ctx context.Context, q *question) (string, error) {
	if r.failures.Load() >= refereeGivesUp {
		return "", errRefereeGone
	}
	asked := guard.Request{Messages: q.messages()}
	body, err := chatwire.ChatCompletions.EncodeRequest(asked, chatwire.EncodeOptions{Model: r.model})
	if err != nil {
		return "", err
	}
	for try := 1; ; try++ {
		answer, after, err := r.ask(ctx, body)
		if err == nil {
			r.failures.Store(0)
			return answer, nil
		}
		if try == refereeTries || after < 0 {
			r.failures.Add(1)
			return "", err
		}
		if err := r.wait(ctx, min(maxRest, max(after, refereeRest<<(try-1)))); err != nil {
			return "", err
		}
	}
}

// ask sends one request. A negative time says that there is no use in asking again.
func (r *httpReferee) ask(ctx context.Context, body []byte) (answer string, again time.Duration, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, bytes.NewReader(body))
	if err != nil {
		return "", -1, err
	}
	request.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		request.Header.Set("Authorization", "Bearer "+r.key)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return "", 0, fmt.Errorf("asking the referee: %w", err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return "", 0, fmt.Errorf("reading the referee's answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		err := fmt.Errorf("the referee answered with status %d: %.200q", response.StatusCode, report.OneLine(string(data)))
		return "", retryAfter(response), err
	}
	parsed, err := chatwire.ChatCompletions.ParseResponse(data)
	if err != nil {
		return "", -1, err
	}
	return parsed.Message.Text, 0, nil
}

// retryAfter is when to ask again; negative for what another try cannot mend.
func retryAfter(response *http.Response) time.Duration {
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode < 500 {
		return -1
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
