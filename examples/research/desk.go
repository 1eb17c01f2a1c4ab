package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/examples/research/limits"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// desk is the tools at work.
type desk struct {
	client  *http.Client
	library *library
	limits  limits.Limits
}

func (d *desk) toolbox() stage.Toolbox {
	return stage.Toolbox{
		toolPlan:           stage.Tool(d.recordPlan),
		"web_search":       stage.Tool(d.search),
		toolAccess:         stage.Tool(d.access),
		"memory_query":     stage.Tool(d.query),
		"memory_write":     stage.Tool(d.write),
		"retrieve_context": stage.Tool(d.retrieve),
	}
}

// plan is both the arguments of record_plan and its result. The ledger keeps
// them; nothing else has to.
type plan struct {
	SubQuestions []string `json:"sub_questions"`
}

func (d *desk) recordPlan(_ context.Context, p plan) (plan, error) { return p, nil }

type searchResult struct {
	Title string `json:"title"`
	URL   string `json:"url"`
	score int
}

type searchResults struct {
	Results []searchResult `json:"results"`
}

func (d *desk) search(_ context.Context, args struct {
	Query      string `json:"query"`
	MaxResults int    `json:"max_results"`
}) (searchResults, error) {
	found := []searchResult{}
	for _, p := range pages {
		if score := shared(args.Query, p.title+" "+p.text); score > 0 {
			found = append(found, searchResult{p.title, p.url, score})
		}
	}
	slices.SortStableFunc(found, func(a, b searchResult) int { return cmp.Compare(b.score, a.score) })
	most := args.MaxResults
	if most == 0 {
		most = d.limits.WebSearchMaxResults
	}
	return searchResults{found[:min(most, len(found))]}, nil
}

// fetched is a page as the model gets it.
type fetched struct {
	URL      string   `json:"url"`
	Content  string   `json:"content"`
	ChunkIDs []string `json:"chunk_ids"`
}

const maxPage = 1 << 20

// access opens a page with the client that judges every address it dials, and
// offers it to the library.
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
	if err != nil {
		return fetched{}, err
	}
	got := fetched{URL: canonical(args.URL), Content: strings.TrimSpace(string(body))}
	for i := range strings.Split(got.Content, "\n\n") {
		got.ChunkIDs = append(got.ChunkIDs, chunkID(got.URL, i))
	}
	_, err = d.library.ingest(ctx, got.URL, got.Content)
	return got, err
}

// canonical is the URL without what does not make another page of it.
func canonical(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return strings.TrimRight(address, "/")
}

// Observe takes in the pages that the ledger has seen. The tool has offered them
// before, as a tool of somebody else might not; the library takes each in once.
func (d *desk) Observe(record *tooltrack.Record) {
	if record.Tool != toolAccess || !record.Succeeded() {
		return
	}
	var got fetched
	if json.Unmarshal(record.Result.Data, &got) != nil || got.URL == "" {
		return // not a page
	}
	_, _ = d.library.ingest(context.Background(), got.URL, got.Content) // an observer has nobody to tell
}

type hits struct {
	Hits []hit `json:"hits"`
}

func (d *desk) query(ctx context.Context, args struct {
	Query string `json:"query"`
	TopK  int    `json:"top_k"`
}) (hits, error) {
	input, _ := guard.FromContext(ctx)
	if args.TopK == 0 {
		args.TopK = d.limits.MemoryQueryDefaultTopK
	}
	found, err := d.library.find(ctx, input.Owner, args.Query, args.TopK)
	return hits{found}, err
}

type written struct {
	Namespace string `json:"namespace"`
	Bytes     int    `json:"bytes"`
}

// write stores a note for the one who asks: whose memory it is, the turn says
// and no argument.
func (d *desk) write(ctx context.Context, args struct {
	Content   string `json:"content"`
	Namespace string `json:"namespace"`
}) (written, error) {
	input, _ := guard.FromContext(ctx)
	return written{args.Namespace, len(args.Content)}, d.library.note(ctx, input.Owner, args.Namespace, args.Content)
}

type chunk struct {
	ID      string `json:"chunk_id"`
	URL     string `json:"url"`
	Content string `json:"content"`
}

func (d *desk) retrieve(ctx context.Context, args struct {
	ID string `json:"chunk_id"`
}) (chunk, error) {
	address, content, err := d.library.chunk(ctx, args.ID)
	return chunk{args.ID, address, content}, err
}
