package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"time"

	"github.com/bonafide-go/bonafide/examples/internal/serving"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/internal/clip"
)

// settings are the flags.
type settings struct {
	upstream        *url.URL
	simulated       bool // the upstream is a model of our own, which lies now and then
	addr            string
	tools           string
	enforce         bool
	lenient         bool
	allowUnguarded  bool
	proof           guard.ProofMode
	ledger          string
	cert, key       string
	page            string
	maxBody         int // MiB
	memory          int // MiB
	maxRequests     int
	upstreamTimeout time.Duration
	drain           time.Duration
}

// usageError is a flag that makes no sense.
type usageError string

func (e usageError) Error() string { return string(e) }

// simulatedUpstream is an upstream that needs no key.
const simulatedUpstream = "sim"

const usage = `proxy puts a guard between agents in any language and their model.

    go run ./examples/proxy -upstream https://api.openai.com      base URL: http://127.0.0.1:8400/v1
    go run ./examples/proxy -upstream https://api.anthropic.com   base URL: http://127.0.0.1:8400
    go run ./examples/proxy -upstream sim                         a model that needs no key, and lies

It watches and changes nothing until -enforce is given. Its page is http://127.0.0.1:8400/

`

func parseSettings(args []string, errs io.Writer) (*settings, error) {
	s := &settings{}
	flags := flag.NewFlagSet("proxy", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { fmt.Fprint(errs, usage); flags.PrintDefaults() }
	upstream := flags.String("upstream", "", "`URL` of the model's server, or sim")
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8400", "`address` to listen on")
	flags.StringVar(&s.tools, "tools", "",
		"TOML `file` about the tools, as tools.example.toml (default: their names tell)")
	flags.BoolVar(&s.enforce, "enforce", false, "act on what is found: ask again, ask for proof, refuse")
	proof := flags.String("proof", "unsure", "with -enforce, `when` to ask for proof of a text: unsure, always or never")
	flags.BoolVar(&s.lenient, "lenient", false, "with -enforce, show sentences in doubt whose proof did not come")
	flags.BoolVar(&s.allowUnguarded, "allow-unguarded", false, "with -enforce, let requests pass that cannot be judged")
	flags.StringVar(&s.ledger, "ledger", "",
		"`where` reported calls are kept: memory, a file of SQLite, or postgres://… (default memory, or BONAFIDE_LEDGER)")
	flags.StringVar(&s.cert, "cert", "", "certificate `file` (PEM), to serve TLS")
	flags.StringVar(&s.key, "key", "", "key `file` (PEM) of the certificate")
	flags.StringVar(&s.page, "page", "auto", "the page shows what people and models say: `on`, off, or auto: on loopback")
	flags.IntVar(&s.maxBody, "max-body", 32, "longest request, in `MiB`")
	flags.IntVar(&s.memory, "memory", 512, "`MiB` of requests and answers that are held at once to be judged")
	flags.IntVar(&s.maxRequests, "max-requests", 1024, "requests at once")
	flags.DurationVar(&s.upstreamTimeout, "upstream-timeout", 10*time.Minute,
		"how long the model's server may think before it begins to answer")
	flags.DurationVar(&s.drain, "drain", 30*time.Second, "how long requests under way may take at the end")
	if err := flags.Parse(args); err != nil {
		return nil, err // told already
	}
	if flags.NArg() > 0 {
		return nil, usageError(fmt.Sprintf("%q is not a flag; see -help", clip.Text(flags.Arg(0), 40)))
	}
	return s, errors.Join(s.setUpstream(*upstream), s.setProof(*proof), s.check())
}

func (s *settings) setUpstream(text string) error {
	if text == simulatedUpstream {
		s.simulated, s.upstream = true, &url.URL{}
		return nil
	}
	if text == "" {
		return usageError("-upstream: name the model's server, such as https://api.openai.com, or sim")
	}
	parsed, err := url.Parse(text)
	switch {
	case err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https":
		return usageError("-upstream: it is a URL such as https://api.openai.com, or sim")
	case parsed.User != nil || parsed.RawQuery != "" || parsed.Fragment != "":
		return usageError("-upstream: it holds no name, password or query; clients send their own keys")
	}
	s.upstream = parsed
	return nil
}

func (s *settings) setProof(text string) error {
	modes := map[string]guard.ProofMode{"unsure": guard.WhenUnsure, "always": guard.Always, "never": guard.Never}
	mode, known := modes[text]
	if !known {
		return usageError("-proof: it is unsure, always or never")
	}
	s.proof = mode
	return nil
}

func (s *settings) check() error {
	host, _, err := net.SplitHostPort(s.addr)
	if err != nil {
		return usageError("-addr: it is a host and a port, such as 127.0.0.1:8400")
	}
	s.ledger = cmp.Or(s.ledger, os.Getenv("BONAFIDE_LEDGER"), inMemory)
	switch s.page {
	case "auto":
		s.page = "off"
		if serving.Loopback(host) {
			s.page = "on"
		}
	case "on", "off":
	default:
		return usageError("-page: it is on, off or auto")
	}
	switch {
	case (s.cert == "") != (s.key == ""):
		return usageError("-cert and -key: TLS needs both")
	case s.maxBody < 1 || s.maxBody > 32:
		return usageError("-max-body: it is 1 to 32 (MiB); longer requests cannot be judged")
	case s.memory < 1:
		return usageError("-memory: it is at least 1 (MiB)")
	case s.maxRequests < 1:
		return usageError("-max-requests: it is at least 1")
	case s.upstreamTimeout <= 0 || s.drain < 0:
		return usageError("-upstream-timeout and -drain: they are times such as 30s")
	}
	return nil
}
