package chatwire_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/chatwire"
	"github.com/bonafide-go/bonafide/intent"
)

func watching(o *guard.Options) { o.Observe = true }

// TestObservingDoesNotHoldStreams: in a bubble time stands still unless somebody
// waits, so a byte that is held shows as an hour.
func TestObservingDoesNotHoldStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := `data: {"choices":[{"index":0,"delta":{"content":"I've deleted "}}]}` + "\n\n"
		last := `data: {"choices":[{"index":0,"delta":{"content":"it."},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
		reader, writer := io.Pipe()
		go func() {
			_, _ = io.WriteString(writer, first)
			time.Sleep(time.Hour)
			_, _ = io.WriteString(writer, last)
			_ = writer.Close()
		}()
		g := newGuard(t, watching)
		next := roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"X-Own": {"1"}}, Body: reader}, nil
		})
		began := time.Now()
		response, err := chatwire.Transport(g, next, &chatwire.Options{KeepAlive: time.Second}).RoundTrip(streamRequest(context.Background(), "delete it"))
		if err != nil || response.Header.Get("X-Own") != "1" {
			t.Fatal(response, err)
		}
		piece := make([]byte, len(first))
		if _, err := io.ReadFull(response.Body, piece); err != nil || string(piece) != first || time.Since(began) > 2*time.Millisecond {
			t.Errorf("%q after %v: %v", piece, time.Since(began), err)
		}
		rest, err := io.ReadAll(response.Body)
		if err != nil || string(rest) != last || time.Since(began) > time.Hour+2*time.Millisecond {
			t.Errorf("%q after %v: %v", rest, time.Since(began), err)
		}
		synctest.Wait()
		if counted := g.Counters(); counted.ModelCalls != 1 || counted.Turns != 1 || len(counted.Would) != 1 || counted.ToolsDue != 1 || counted.ToolsCalled != 0 {
			t.Errorf("counted %+v", counted)
		}
	})
}

// TestObservingJudgesACopy: each way in which an answer can end is judged as it
// would be if it had been held.
func TestObservingJudgesACopy(t *testing.T) {
	lie := streamOf("I've deleted it.")
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, _ = io.WriteString(zip, saying("I've deleted it."))
	_ = zip.Close()
	cases := []struct {
		name, said, packing string
		read                int // how much the client reads before it closes; -1 is all
		judged              uint64
		provider            uint64
	}{
		{"read to the end", lie, "", -1, 1, 0},
		{"closed at the end marker", lie, "", len(lie), 1, 0},
		{"whole", saying("I've deleted it."), "", -1, 1, 0},
		{"packed", packed.String(), "gzip", -1, 1, 0},
		{"packed in an unknown way", "xyz", "br", -1, 0, 1},
		{"packed wrongly", "xyz", "gzip", -1, 0, 1},
		{"closed in the middle of an object", saying("I've deleted it."), "", 9, 0, 0},
		{"not readable", "<html>", "", -1, 0, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newGuard(t, watching)
				body := io.NopCloser(strings.NewReader(c.said))
				next := roundTripper(func(*http.Request) (*http.Response, error) {
					return &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {c.packing}}, Body: body}, nil
				})
				response, err := chatwire.Transport(g, next, nil).RoundTrip(streamRequest(context.Background(), "delete it"))
				if err != nil {
					t.Fatal(err)
				}
				var got []byte
				if c.read < 0 {
					got, err = io.ReadAll(response.Body)
				} else {
					got = make([]byte, c.read)
					_, err = io.ReadFull(response.Body, got)
				}
				if err != nil || !strings.HasPrefix(c.said, string(got)) || c.read < 0 && len(got) != len(c.said) {
					t.Errorf("%q, %v", got, err)
				}
				if err := response.Body.Close(); err != nil {
					t.Error(err)
				}
				// The end of the answer waits for its verdict, so no more waiting here.
				if counted := g.Counters(); uint64(len(counted.Would)) != c.judged || counted.Refused["provider fault"] != c.provider || counted.Turns != 1 {
					t.Errorf("counted %+v", counted)
				}
			})
		})
	}
}

// TestObservingChangesNothing: what the transport returns reaches the client,
// errors included, and a slow judgement does not.
func TestObservingChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := intent.Func(func(ctx context.Context, _ intent.Utterance) (intent.Intent, error) {
			<-ctx.Done()
			return intent.Intent{}, ctx.Err()
		})
		g := newGuard(t, func(o *guard.Options) { o.Observe, o.Classifier = true, slow })
		refused := &http.Response{StatusCode: 429, Body: io.NopCloser(strings.NewReader("slow down"))}
		fine := &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(saying("Hello!")))}
		cases := []struct {
			name     string
			response *http.Response
			err      error
		}{
			{"an error", nil, errBoom}, {"a refusal", refused, nil}, {"an answer", fine, nil}, {"nothing", nil, nil},
		}
		for _, c := range cases {
			began := time.Now()
			next := func(*http.Request) (*http.Response, error) { return c.response, c.err }
			response, err := chatwire.Middleware(g, nil)(streamRequest(context.Background(), "delete it"), next)
			if response != c.response || !errors.Is(err, c.err) {
				t.Errorf("%s: %v, %v", c.name, response, err)
			}
			if response != nil {
				if _, err := io.ReadAll(response.Body); err != nil {
					t.Error(err)
				}
				_ = response.Body.Close()
			}
			if took := time.Since(began); took > 200*time.Millisecond {
				t.Errorf("%s: took %v", c.name, took)
			}
		}
		time.Sleep(time.Minute) // the judgement gives up by itself, and leaves nothing behind
	})
}

// TestTheLastBytesAreNotHeld: they may come together with the end, and only the
// end waits for the verdict.
func TestTheLastBytesAreNotHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := intent.Func(func(ctx context.Context, _ intent.Utterance) (intent.Intent, error) {
			<-ctx.Done()
			return intent.Intent{}, ctx.Err()
		})
		g := newGuard(t, func(o *guard.Options) { o.Observe, o.Classifier = true, slow })
		body := io.NopCloser(iotest.DataErrReader(strings.NewReader(saying("Hello!"))))
		next := roundTripper(func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200, Body: body}, nil })
		response, err := chatwire.Transport(g, next, nil).RoundTrip(streamRequest(context.Background(), "delete it"))
		if err != nil {
			t.Fatal(err)
		}
		began, piece := time.Now(), make([]byte, 4096)
		if n, err := response.Body.Read(piece); err != nil || string(piece[:n]) != saying("Hello!") || time.Since(began) > 2*time.Millisecond {
			t.Errorf("%q after %v: %v", piece[:n], time.Since(began), err)
		}
		if n, err := response.Body.Read(piece); n != 0 || err != io.EOF || time.Since(began) > 200*time.Millisecond {
			t.Errorf("the end after %v: %d, %v", time.Since(began), n, err)
		}
		_ = response.Body.Close()
		time.Sleep(time.Minute) // until the judgement gives up
	})
}

// TestObservingSurvivesAClientThatLeaves: the judgement ends with the request.
func TestObservingSurvivesAClientThatLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGuard(t, watching)
		ctx, cancel := context.WithCancel(context.Background())
		reader, writer := io.Pipe()
		next := roundTripper(func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200, Body: reader}, nil })
		response, err := chatwire.Transport(g, next, nil).RoundTrip(streamRequest(ctx, "delete it"))
		if err != nil || response.StatusCode != 200 {
			t.Fatal(response, err)
		}
		cancel()
		synctest.Wait()
		if counted := g.Counters(); counted.Refused["provider fault"] != 0 || counted.Accepted != 0 {
			t.Errorf("counted %+v", counted)
		}
		_ = writer.Close()
	})
}

// TestObservingAClientThatLeavesAtTheBeginning: the judgement may have begun when the
// server's header comes, and the header is the client's to change.
func TestObservingAClientThatLeavesAtTheBeginning(t *testing.T) {
	for range 20 {
		g := newGuard(t, watching)
		ctx, cancel := context.WithCancel(context.Background())
		next := roundTripper(func(request *http.Request) (*http.Response, error) {
			cancel()
			response, err := answers(saying("Hello."))(request)
			response.Header = http.Header{"Content-Type": {"application/json"}}
			return response, err
		})
		response, err := chatwire.Transport(g, next, nil).RoundTrip(streamRequest(ctx, "hello"))
		if err != nil {
			t.Fatal(err)
		}
		response.Header.Set("X-Seen", "yes")
		response.Body.Close()
		if counted := g.Counters(); counted.Refused["provider fault"] != 0 {
			t.Errorf("counted %+v", counted)
		}
	}
}

// TestObservingAClientThatLeavesWithTheLastByte: behind a server the request ends
// when the client has all that it came for, before anybody has read the end of
// the answer. It is judged all the same.
func TestObservingAClientThatLeavesWithTheLastByte(t *testing.T) {
	for _, body := range []string{saying("I've deleted it."), streamOf("I've deleted it.")} {
		synctest.Test(t, func(t *testing.T) {
			g := newGuard(t, watching)
			ctx, cancel := context.WithCancel(context.Background())
			response, err := chatwire.Transport(g, roundTripper(answers(body)), nil).RoundTrip(streamRequest(ctx, "delete it"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(response.Body, make([]byte, len(body))); err != nil {
				t.Fatal(err)
			}
			cancel()
			synctest.Wait()
			if counted := g.Counters(); len(counted.Would) != 1 {
				t.Errorf("counted %+v", counted)
			}
			response.Body.Close()
		})
	}
}
