package policy

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// maxURL is the longest URL that is judged: eight times what RFC 9110 asks
// servers to support.
const maxURL = 64_000

// ErrURL matches every [*URLError] with errors.Is.
var ErrURL = errors.New("the URL is refused")

// URLError says why a URL may not be opened. It is returned by [Web.Check] and
// by the connections of [Web.Client].
type URLError struct {
	// Host is the host that was judged, empty where none could be read.
	Host string
	// Reason says what is wrong.
	Reason string
}

// Error says why the URL is refused.
func (e *URLError) Error() string {
	if e.Host == "" {
		return "the URL is refused: " + e.Reason
	}
	return "the URL is refused: host " + jsonspan.Quote([]byte(e.Host)) + " " + e.Reason
}

// Is makes errors.Is(err, ErrURL) true.
func (e *URLError) Is(target error) bool { return target == ErrURL }

func refuseURL(format string, args ...any) *URLError {
	return &URLError{Reason: fmt.Sprintf(format, args...)}
}

// checkURL judges a URL by its text alone and returns its host: in ASCII, lower
// case, without a trailing dot. It reads the URL by itself, because a parser
// that repairs what it reads would judge another URL than the one that is
// opened.
func (w *Web) checkURL(text string) (host string, fault *URLError) {
	if len(text) > maxURL {
		return "", refuseURL("it has %d bytes; at most %d are allowed", len(text), maxURL)
	}
	if fault := badCharacter(text); fault != nil {
		return "", fault
	}
	rest, ok := cutScheme(text)
	if !ok {
		return "", refuseURL("it must begin with http:// or https://")
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	if strings.Contains(authority, "@") {
		return "", refuseURL("it carries user information before the host; leave it out")
	}
	host, port, fault := splitPort(authority)
	if fault != nil {
		return "", fault
	}
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) { // RFC 3986 lets it be empty
		return "", refuseURL("its port must be a number from 1 to 65535")
	}
	return w.checkHost(host)
}

// badCharacter finds what no URL may hold. Clients disagree about what to do
// with such characters, which is how one URL becomes two.
func badCharacter(text string) *URLError {
	if !utf8.ValidString(text) {
		return refuseURL("it is no valid UTF-8; percent-encode it")
	}
	for _, r := range text {
		if r == '\\' || unicode.IsSpace(r) || unicode.IsControl(r) {
			return refuseURL("it holds the character %q; percent-encode it", r)
		}
	}
	return nil
}

func cutScheme(text string) (rest string, ok bool) {
	for _, scheme := range [...]string{"http://", "https://"} {
		if len(text) >= len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
			return text[len(scheme):], true
		}
	}
	return "", false
}

// splitPort cuts the port off an authority without user information. Brackets
// stay with the host.
func splitPort(authority string) (host, port string, fault *URLError) {
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 {
			return "", "", refuseURL("its IPv6 address lacks the closing bracket")
		}
		host, port = authority[:end+1], authority[end+1:]
		if port != "" && port[0] != ':' {
			return "", "", refuseURL("there is text after its IPv6 address")
		}
		return host, strings.TrimPrefix(port, ":"), nil
	}
	host, port, _ = strings.Cut(authority, ":")
	if strings.Contains(port, ":") {
		return "", "", refuseURL("its host holds more than one colon; write an IPv6 address in brackets")
	}
	return host, port, nil
}

// checkHost judges a host, which may be an address or a name.
func (w *Web) checkHost(host string) (string, *URLError) {
	if strings.IndexByte(host, '%') >= 0 {
		return "", refuseURL("its host holds a percent escape; write it plainly")
	}
	if strings.HasPrefix(host, "[") {
		address, err := netip.ParseAddr(host[1 : len(host)-1])
		if err != nil || address.Is4() {
			return "", refuseURL("its host in brackets is no IPv6 address")
		}
		return host, w.refuse(address, host)
	}
	name, fault := asciiHost(host)
	if fault != nil {
		return "", fault
	}
	name = strings.TrimSuffix(name, ".")
	if fault := checkLabels(name); fault != nil {
		return "", fault
	}
	if isNumeric(name[strings.LastIndexByte(name, '.')+1:]) {
		address, err := netip.ParseAddr(name)
		if err != nil || !address.Is4() {
			return "", &URLError{name, "is a number that is no plain IPv4 address; write four decimal parts"}
		}
		return name, w.refuse(address, name)
	}
	if !slices.Contains(w.hosts, name) && isLocalName(name) {
		return "", &URLError{name, "is a local name; only public hosts may be opened"}
	}
	return name, nil
}

// refuse judges an address, with the host that led to it.
func (w *Web) refuse(address netip.Addr, host string) *URLError {
	reason := refusedAddress(address)
	isAllowed := func(net netip.Prefix) bool { return net.Contains(address.Unmap()) }
	if reason == "" || slices.ContainsFunc(w.nets, isAllowed) {
		return nil
	}
	return &URLError{host, "leads to " + address.String() + " (" + reason + "); only public addresses may be opened"}
}

// hostMapping maps a name as browsers do (UTS 46). Hyphens and lengths are left
// to the checks here, which treat all names alike.
var hostMapping = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false),
	idna.CheckHyphens(false))

// asciiHost maps a host to lower-case ASCII. Plain names take no detour.
func asciiHost(host string) (string, *URLError) {
	if isASCII(host) {
		return strings.ToLower(host), nil
	}
	mapped, err := hostMapping.ToASCII(host)
	if err != nil {
		return "", refuseURL("its host %s is no valid international name", jsonspan.Quote([]byte(host)))
	}
	return mapped, nil
}

// checkLabels asks for letters, digits, hyphens and underscores between single
// dots, within the lengths of the DNS.
func checkLabels(name string) *URLError {
	if name == "" {
		return refuseURL("it has no host")
	}
	if len(name) > 253 {
		return refuseURL("its host has %d characters; at most 253 are allowed", len(name))
	}
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.') {
			return refuseURL("its host holds the character %q", c)
		}
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" {
			return &URLError{name, "has an empty label"}
		}
		if len(label) > 63 {
			return &URLError{name, "has a label of more than 63 characters"}
		}
	}
	return nil
}

// isNumeric reports whether a label is a number as some resolvers read it:
// decimal, octal or hexadecimal.
func isNumeric(label string) bool {
	if strings.HasPrefix(label, "0x") {
		return strings.Trim(label[2:], "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// localSuffixes end names that are never public: RFC 6761, 6762 and 8375, ICANN's
// reservation of "internal", and the usual domain of /etc/hosts.
var localSuffixes = []string{".localhost", ".local", ".internal", ".localdomain", ".home.arpa"}

func isLocalName(name string) bool {
	return strings.IndexByte(name, '.') < 0 || name == "home.arpa" ||
		slices.ContainsFunc(localSuffixes, func(suffix string) bool { return strings.HasSuffix(name, suffix) })
}

// PublicURL asks for an http or https URL of a public host. The text alone is
// judged here; open the URL with [Web.Client], so that the address that is
// dialled is judged, too. Nil is the default [Web].
func PublicURL(web *Web) Check {
	web = cmp.Or(web, NewWeb(nil))
	return ofText("url", "an http or https URL of a public host", nil, func(s *subject, v Value) {
		if _, fault := web.checkURL(string(v.body)); fault != nil {
			s.fault("%s is refused: %s", s.arg, strings.TrimPrefix(fault.Error(), "the URL is refused: "))
		}
	})
}
