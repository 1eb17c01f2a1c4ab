package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/assistant"
	"github.com/bonafide-go/bonafide/examples/internal/serving"
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/policy"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// The names of the tools that the agent's own rules speak of.
const (
	toolPlan   = "record_plan"
	toolAccess = "web_access"
)

//go:embed tools.json
var toolsText []byte

// tools are described once; the rules of package assistant say more of their arguments.
func tools() []tooltrack.Tool { return stage.Tools(toolsText) }

// desk is the tools at work, with what they have read and noted. One session uses it, one call at a time.
type desk struct {
	client *http.Client
	chunks map[string]hit      // paragraphs of pages, by their ids
	notes  map[string][]string // by owner
}

func (d *desk) toolbox() stage.Toolbox {
	return stage.Toolbox{
		toolPlan:           stage.Tool(func(_ context.Context, p plan) (plan, error) { return p, nil }),
		"web_search":       stage.Tool(d.search),
		toolAccess:         stage.Tool(d.access),
		"memory_query":     stage.Tool(d.query),
		"memory_write":     stage.Tool(d.write),
		"retrieve_context": stage.Tool(d.retrieve),
	}
}

// plan is both the arguments of record_plan and its result. The ledger keeps them; nothing else has to.
type plan struct {
	SubQuestions []string `json:"sub_questions"`
}

// hit is something that fits a query.
type hit struct {
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
	Text  string `json:"content,omitempty"`
	score int
}

type hits struct {
	Results []hit `json:"results"`
}

// best are the hits with a word of the query in them, those with most of them first.
func best(query string, most int, found []hit) hits {
	for i := range found {
		found[i].score = shared(query, found[i].Title+" "+found[i].Text)
	}
	found = slices.DeleteFunc(found, func(h hit) bool { return h.score == 0 })
	slices.SortStableFunc(found, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return hits{found[:min(most, len(found))]}
}

func (d *desk) search(_ context.Context, args struct {
	Query      string `json:"query"`
	MaxResults int    `json:"max_results"`
}) (hits, error) {
	found := []hit{}
	for _, p := range pages {
		found = append(found, hit{Title: p.Title, URL: p.Name, Text: p.Note("text")})
	}
	results := best(args.Query, cmp.Or(args.MaxResults, assistant.MaxResults), found)
	for i := range results.Results {
		results.Results[i].Text = "" // it has to be opened
	}
	return results, nil
}

// fetched is a page as the model gets it.
type fetched struct {
	URL      string   `json:"url"`
	Content  string   `json:"content"`
	ChunkIDs []string `json:"chunk_ids"`
}

const maxPage = 1 << 20

// access opens a page with the client that judges every address it dials, and keeps its paragraphs.
func (d *desk) access(ctx context.Context, args struct {
	URL string `json:"url"`
}) (fetched, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, args.URL, nil)
	if err != nil {
		return fetched{}, err
	}
	response, err := d.client.Do(request)
	if err != nil {
		return fetched{}, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fetched{}, fmt.Errorf("the server answered %s", response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxPage))
	address, _, _ := strings.Cut(args.URL, "#")
	got := fetched{URL: strings.TrimRight(address, "/"), Content: strings.TrimSpace(string(body))}
	for i, paragraph := range strings.Split(got.Content, "\n\n") {
		got.ChunkIDs = append(got.ChunkIDs, chunkID(got.URL, i))
		d.chunks[chunkID(got.URL, i)] = hit{URL: got.URL, Text: paragraph}
	}
	return got, err
}

// chunkID names a paragraph of a page.
func chunkID(address string, paragraph int) string {
	return fmt.Sprintf("%s-%d", strings.NewReplacer("http://", "", ".", "_", "/", "-").Replace(address), paragraph)
}

func (d *desk) query(ctx context.Context, args struct {
	Query string `json:"query"`
	TopK  int    `json:"top_k"`
}) (hits, error) {
	input, _ := guard.FromContext(ctx)
	found := []hit{}
	for _, note := range d.notes[input.Owner] {
		found = append(found, hit{Text: note})
	}
	found = slices.AppendSeq(found, maps.Values(d.chunks))
	return best(args.Query, cmp.Or(args.TopK, assistant.UsualHits), found), nil
}

type written struct {
	Namespace string `json:"namespace"`
	Bytes     int    `json:"bytes"`
}

// write stores a note for the one who asks: whose memory it is, the turn says and no argument.
func (d *desk) write(ctx context.Context, args struct {
	Content   string `json:"content"`
	Namespace string `json:"namespace"`
}) (written, error) {
	input, _ := guard.FromContext(ctx)
	d.notes[input.Owner] = append(d.notes[input.Owner], args.Content)
	return written{args.Namespace, len(args.Content)}, nil
}

var errNoChunk = errors.New("there is no chunk with this id; use an id that web_access has returned")

func (d *desk) retrieve(_ context.Context, args struct {
	ID string `json:"chunk_id"`
}) (hit, error) {
	if found, known := d.chunks[args.ID]; known {
		return found, nil
	}
	return hit{}, errNoChunk
}

// shared is how many words of the query a text holds.
func shared(query, text string) int {
	held, n := words(text), 0
	for word := range words(query) {
		if held[word] {
			n++
		}
	}
	return n
}

// words are the words of a text that say something, in lower case.
func words(text string) map[string]bool {
	found := map[string]bool{}
	between := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	for _, word := range strings.FieldsFunc(strings.ToLower(text), between) {
		if len(word) > 3 {
			found[word] = true
		}
	}
	return found
}

//go:embed pages.txt
var pagesText string

// pages are the whole web of this example: each has its URL for a name.
var pages = simmodel.Scenes(pagesText, nil)

// site serves the pages on loopback, and holds the client that may read them.
type site struct {
	web  *policy.Web
	stop func()
}

// newSite starts the server. The client is the one that refuses every address which is not public; this
// server is an explicit exception, host by host and for its own address alone.
func newSite() (*site, error) {
	server, stop, err := serving.Start(http.HandlerFunc(serve))
	if err != nil {
		return nil, fmt.Errorf("starting the pages: %w", err)
	}
	s := &site{stop: stop}
	loopback := netip.MustParseAddr("127.0.0.1")
	s.web = policy.NewWeb(&policy.WebOptions{
		AllowHosts: []string{"almanac.internal", "harbour.internal", "survey.internal", "gazette.internal"},
		AllowNets:  []netip.Prefix{netip.PrefixFrom(loopback, 32)},
		Resolver:   hosts{loopback},
		Timeout:    10 * time.Second,
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			if host, _, err := net.SplitHostPort(address); err != nil || host != loopback.String() {
				return nil, fmt.Errorf("%s is not an address of this example", address)
			}
			return new(net.Dialer).DialContext(ctx, network, server)
		},
	})
	return s, nil
}

func (s *site) Close() error {
	s.stop()
	return nil
}

// hosts finds every host at one address.
type hosts struct{ address netip.Addr }

func (h hosts) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{h.address}, nil
}

func serve(w http.ResponseWriter, r *http.Request) {
	address := "http://" + r.Host + r.URL.Path
	if address == "http://gazette.internal/moved" { // a page that leads where no page should
		http.Redirect(w, r, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
		return
	}
	for _, p := range pages {
		if p.Name == strings.TrimRight(address, "/") {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			fmt.Fprintf(w, "%s\n\n%s\n", p.Title, p.Note("text"))
			return
		}
	}
	http.NotFound(w, r)
}
