package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// started is the program at work.
type started struct {
	out, errs *transcript
	stop      context.CancelFunc
	ended     chan int
	url       string
}

var atURL = regexp.MustCompile(`Base URL for clients: (\S+)/v1`)

// startProgram runs the program as main does.
func startProgram(t *testing.T, args ...string) *started {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &started{out: &transcript{}, errs: &transcript{}, stop: cancel, ended: make(chan int, 1)}
	go func() { p.ended <- run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), p.out, p.errs) }()
	t.Cleanup(cancel)
	require.Eventually(
		t,
		func() bool { return atURL.MatchString(p.out.String()) },
		20*time.Second,
		time.Millisecond,
		p.errs.String(),
	)
	p.url = atURL.FindStringSubmatch(p.out.String())[1]
	return p
}

func (p *started) end(t *testing.T) int {
	t.Helper()
	p.stop()
	select {
	case status := <-p.ended:
		return status
	case <-time.After(2 * time.Minute):
		t.Fatal("it does not end")
		return -1
	}
}

// TestTheProgram listens on loopback, says so, answers with a model that needs no
// key, and ends.
func TestTheProgram(t *testing.T) {
	p := startProgram(t, "-upstream", "sim")
	require.Contains(t, p.out.String(), "watches and changes nothing (-enforce lets it act)")
	require.Contains(t, p.out.String(), "Only this machine can reach it.")
	require.Contains(t, p.out.String(), "Page: "+p.url+"/")
	back := send(t, p.url+formats[0].path, formats[0].request(false, false))
	require.Contains(t, back.body, lie)
	require.Equal(t, "ok\n", get(t, p.url+"/healthz").body)
	require.Equal(t, 0, p.end(t))
}

// TestDrain: at the end, requests under way are finished and written into the
// ledger, and pages are sent away.
func TestDrain(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	server := streaming(t, func(_ *http.Request, say func(string)) {
		say(event("Read book "))
		close(begun)
		<-finish
		say(event("is gone.") + streamEnd)
	})
	ledger := filepath.Join(t.TempDir(), "ledger.db")
	p := startProgram(t, "-upstream", server, "-ledger", ledger)
	page, err := http.Get(p.url + pagePath + "events")
	require.NoError(t, err)
	defer page.Body.Close()
	response := open(t.Context(), t, p.url)
	defer response.Body.Close()
	<-begun
	p.stop()
	_, err = io.ReadAll(page.Body)
	require.NoError(t, err, "the page's stream ends")
	require.Eventually(t, func() bool {
		connection, err := net.DialTimeout("tcp", strings.TrimPrefix(p.url, "http://"), time.Second)
		if err == nil {
			_ = connection.Close()
		}
		return err != nil
	}, 2*time.Minute, time.Millisecond, "nobody new is let in")
	close(finish)
	got, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Contains(t, string(got), "is gone.")
	require.Equal(t, 0, p.end(t), p.errs.String())
	data, err := os.ReadFile(ledger)
	require.NoError(t, err)
	require.Contains(t, string(data), "delete_task")
}

// TestDrainHasAnEnd: what takes longer is cut off, and the program says so.
func TestDrainHasAnEnd(t *testing.T) {
	server := streaming(t, func(r *http.Request, say func(string)) {
		say(event("Read book "))
		<-r.Context().Done()
	})
	p := startProgram(t, "-upstream", server, "-drain", "10ms")
	response := open(t.Context(), t, p.url)
	defer response.Body.Close()
	_, err := bufio.NewReader(response.Body).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, 1, p.end(t))
	require.Contains(t, p.errs.String(), "requests under way were cut off")
}

// TestTLS serves HTTP/2, too.
func TestTLS(t *testing.T) {
	cert, key, pool := certificate(t)
	p := startProgram(t, "-upstream", "sim", "-cert", cert, "-key", key)
	require.True(t, strings.HasPrefix(p.url, "https://"))
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true},
	}
	defer client.CloseIdleConnections()
	for _, stream := range []bool{false, true} {
		response, err := client.Post(
			p.url+formats[0].path,
			"application/json",
			strings.NewReader(formats[0].request(stream, true)),
		)
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		require.NoError(t, err)
		require.Equal(t, "HTTP/2.0", response.Proto)
		require.Contains(t, string(body), "deleted")
	}
	require.Equal(t, 0, p.end(t))
}

// certificate makes a certificate for 127.0.0.1.
func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	folder := t.TempDir()
	cert, key = filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	require.NoError(t, os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	made, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	pool = x509.NewCertPool()
	pool.AddCert(made)
	return cert, key, pool
}

// TestFlags: what makes no sense is told before anything begins.
func TestFlags(t *testing.T) {
	folder := t.TempDir()
	bad := filepath.Join(folder, "tools.toml")
	require.NoError(t, os.WriteFile(bad, []byte("[tools.a]\nefect = 1\n"), 0o600))
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{nil, 2, "-upstream: name the model's server"},
		{[]string{"-upstream", "api.openai.com"}, 2, "-upstream: it is a URL such as"},
		{[]string{"-upstream", "https://me:" + canary + "@example.com"}, 2, "clients send their own keys"},
		{[]string{"-upstream", "sim", "-proof", "maybe"}, 2, "-proof: it is unsure, always or never"},
		{[]string{"-upstream", "sim", "-addr", "8400"}, 2, "-addr: it is a host and a port"},
		{[]string{"-upstream", "sim", "-cert", "x"}, 2, "TLS needs both"},
		{[]string{"-upstream", "sim", "-max-body", "64"}, 2, "-max-body: it is 1 to 32"},
		{[]string{"-upstream", "sim", "-memory", "0"}, 2, "-memory"},
		{[]string{"-upstream", "sim", "-max-requests", "0"}, 2, "-max-requests"},
		{[]string{"-upstream", "sim", "-page", "maybe"}, 2, "-page: it is on, off or auto"},
		{[]string{"-upstream", "sim", "-drain", "-1s"}, 2, "-drain"},
		{[]string{"-upstream", "sim", "more"}, 2, `"more" is not a flag`},
		{[]string{"-nonsense"}, 2, "flag provided but not defined"},
		{[]string{"-help"}, 0, "go run ./examples/proxy -upstream sim"},
		{[]string{"-upstream", "sim", "-tools", bad}, 1, "tools.toml, line 2: tools.a.efect"},
		{[]string{"-upstream", "sim", "-ledger", "mysql://me:" + canary + "@x/y"}, 1, `-ledger: it is "memory"`},
		{[]string{"-upstream", "sim", "-ledger", "postgres://me:" + canary + "@127.0.0.1:1/y"}, 1, "-ledger: opening it"},
		{[]string{"-upstream", "sim", "-cert", bad, "-key", bad}, 1, "-cert and -key"},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"-addr", "127.0.0.1:0"}, c.args...)
		require.Equal(t, c.status, run(t.Context(), args, &out, &errs), "%v: %s", c.args, errs.String())
		require.Contains(t, errs.String(), c.says)
		require.NotContains(t, errs.String(), canary)
	}
}

// TestBounds: a request that is too long, a header that is, too many at once, and
// a connection that leaves HTTP.
func TestBounds(t *testing.T) {
	hold := make(chan struct{})
	arrived := make(chan struct{}, 8)
	server := serverOf(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/hold" {
			arrived <- struct{}{}
			<-hold
		}
		fmt.Fprint(w, "{}")
	})
	for _, flags := range [][]string{nil, {"-enforce"}} {
		w := newWorld(t, server, append(flags, "-max-body", "1")...)
		long := strings.Replace(formats[0].request(false, false), "delete Read book", strings.Repeat("x", 2<<20), 1)
		require.Equal(t, http.StatusRequestEntityTooLarge, send(t, w.url+formats[0].path, long).status)
		request, err := http.NewRequestWithContext(
			t.Context(),
			http.MethodPost,
			w.url+formats[0].path,
			io.MultiReader(strings.NewReader(long)),
		) // of unknown length
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		response.Body.Close()
		require.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode)
		require.Equal(t, 200, send(t, w.url+"/v1/x", strings.Repeat("x", 1<<20)).status, "as long as allowed")
	}
	w := newWorld(t, server, "-max-requests", "1")
	done := make(chan int, 1)
	go func() {
		response, err := http.Get(w.url + "/hold")
		if err != nil {
			done <- 0
			return
		}
		response.Body.Close()
		done <- response.StatusCode
	}()
	<-arrived
	busy := get(t, w.url+"/v1/models")
	require.Equal(t, http.StatusServiceUnavailable, busy.status)
	require.Equal(t, "1", busy.header.Get("Retry-After"))
	require.Equal(t, 200, get(t, w.url+"/healthz").status, "its own pages still answer")
	close(hold)
	require.Equal(t, 200, <-done)

	refusal := send(
		t,
		newWorld(t, server, "-enforce").url+"/v1/realtime",
		"",
		"Connection",
		"Upgrade",
		"Upgrade",
		"websocket",
	)
	require.Equal(t, http.StatusNotImplemented, refusal.status)
	require.Contains(t, refusal.body, "-allow-unguarded")
}

// TestModes: a request may name one of the file's.
func TestModes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tools.toml")
	require.NoError(t, os.WriteFile(file, []byte("[modes.none]\ncalls = 0\n"), 0o600))
	server := model(t, honest)
	w := newWorld(t, server, "-enforce", "-tools", file)
	require.Equal(t, 200, send(t, w.url+formats[0].path, formats[0].request(false, false)).status)
	limited := send(t, w.url+formats[0].path, formats[0].request(false, false), "X-Bonafide-Mode", "none")
	require.Equal(t, 400, limited.status)
	require.NotContains(t, limited.body, "tool_calls")
	unknown := send(t, w.url+formats[0].path, formats[0].request(false, false), "X-Bonafide-Mode", "fast")
	require.Equal(t, 400, unknown.status)
	require.Contains(t, unknown.body, `there is no mode`)
	require.Equal(
		t,
		200,
		send(
			t,
			newWorld(t, server, "-tools", file).url+formats[0].path,
			formats[0].request(false, false),
			"X-Bonafide-Mode",
			"fast",
		).status,
		"who watches refuses nothing",
	)
}
