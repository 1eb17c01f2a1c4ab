package policy

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// redacted stands for a value that must not be shown.
const redacted = "[redacted]"

// log tells the audit logger about everything that did not simply pass.
func (s *Set) log(ctx context.Context, request *Proposal, decision Decision, err error) {
	defer func() { _ = recover() }() // a handler that panics decides nothing
	var attributes []slog.Attr
	add := func(name, text string) { attributes = append(attributes, slog.String(name, Printable(text))) }
	add("tool", shorten(request.Call.Tool))
	add("call", shorten(request.Call.ID))
	add("owner", shorten(request.Owner))
	if err != nil {
		add("error", HideSecrets(err.Error()))
		s.logger.LogAttrs(ctx, slog.LevelError, "tool call could not be judged", attributes...)
		return
	}
	level, message, args := slog.LevelInfo, "tool call held for approval", decision.Args
	add("rule", decision.Rule)
	add("reason", HideSecrets(decision.Reason))
	switch decision.Kind {
	case Rewrite:
		message = "tool call rewritten"
	case Deny:
		level, message, args = slog.LevelWarn, "tool call denied", request.Call.Args
	}
	add("arguments", LoggableArgs(args))
	if decision.Kind == Rewrite {
		add("original", LoggableArgs(decision.Original))
	}
	s.logger.LogAttrs(ctx, level, message, attributes...)
}

// shownRunes is how much of one value a log shows.
const shownRunes = 80

// LoggableArgs prints arguments for a log: values of arguments that are named like
// secrets and texts that look like them are replaced, long ones are cut.
// Arguments that cannot be decoded are only measured: what is not understood
// cannot be redacted.
func LoggableArgs(args []byte) string {
	decoded, err := Decode(args)
	if err != nil {
		if isBlankJSON(args) {
			return ""
		}
		return "[" + plural(len(args), "byte", "bytes") + " that are no valid arguments]"
	}
	return string(appendRedacted(nil, decoded.raw[jsonspan.SkipSpace(decoded.raw, 0):], ""))
}

// longestRedacted is where the members of a long value end in a log.
const longestRedacted = 1 << 14

func appendRedacted(dst, value []byte, name string) []byte {
	kind := jsonspan.KindOf(value)
	switch {
	case name != "" && isSecretName(name):
		return append(append(append(dst, '"'), redacted...), '"')
	case kind == jsonspan.Object:
		dst = append(dst, '{')
		for key, value := range jsonspan.Members(value) {
			name := string(jsonspan.Key(key))
			dst = jsonspan.AppendQuoted(comma(dst), shorten(name))
			if dst = appendRedacted(append(dst, ':'), value, name); len(dst) >= longestRedacted {
				break
			}
		}
		return append(dst, '}')
	case kind == jsonspan.Array:
		dst = append(dst, '[')
		for element := range jsonspan.Elements(value) {
			if dst = appendRedacted(comma(dst), element, ""); len(dst) >= longestRedacted {
				break
			}
		}
		return append(dst, ']')
	case kind == jsonspan.String:
		return jsonspan.AppendQuoted(dst, shorten(HideSecrets(string(valueOf(value).body))))
	}
	return append(dst, value[:min(len(value), shownRunes)]...)
}

// comma separates what follows, unless it is the first.
func comma(dst []byte) []byte {
	if last := dst[len(dst)-1]; last == '{' || last == '[' {
		return dst
	}
	return append(dst, ',')
}

// shorten cuts a text and says how long it was.
func shorten(text string) string {
	cut, more := firstRunes([]byte(text), shownRunes)
	if !more {
		return text
	}
	return string(cut) + "… (" + plural(utf8.RuneCountInString(text), "character", "characters") + ")"
}

// Printable makes one line of a text that others wrote: everything that a
// terminal or a reader of logs would act on is escaped.
func Printable(text string) string {
	var line strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		piece := text[:size]
		if r == utf8.RuneError && size == 1 || !unicode.IsPrint(r) {
			quoted := strconv.QuoteToASCII(piece)
			piece = quoted[1 : len(quoted)-1]
		}
		line.WriteString(piece)
		text = text[size:]
	}
	return line.String()
}

// secretWords are what the names of secrets end in or consist of.
var secretWords = []string{
	"password", "passwd", "passphrase", "secret", "token", "apikey", "authorization", "credential", "credentials",
	"privatekey", "accesskey", "cookie", "sessionid", "pin", "otp", "cvv",
}

// isSecretName reports whether an argument's name is that of a secret. Counts
// such as max_tokens are none.
func isSecretName(name string) bool {
	bare := bareName(name[max(0, len(name)-64):])
	return slices.ContainsFunc(secretWords, func(word string) bool {
		return bare == word || len(word) > 4 && strings.HasSuffix(bare, word)
	})
}
