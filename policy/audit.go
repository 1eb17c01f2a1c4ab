package policy

import (
	"context"
	"log/slog"
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
	attributes := []slog.Attr{
		slog.String("tool", Printable(shorten(request.Call.Tool))),
		slog.String("call", Printable(shorten(request.Call.ID))),
		slog.String("owner", Printable(shorten(request.Owner))),
	}
	switch {
	case err != nil:
		attributes = append(attributes, slog.String("error", Printable(HideSecrets(err.Error()))))
		s.logger.LogAttrs(ctx, slog.LevelError, "tool call could not be judged", attributes...)
	case decision.Kind == Hold:
		attributes = append(attributes, slog.String("rule", decision.Rule),
			slog.String("arguments", Printable(LoggableArgs(decision.Args))))
		s.logger.LogAttrs(ctx, slog.LevelInfo, "tool call held for approval", attributes...)
	case decision.Kind == Rewrite:
		attributes = append(attributes, slog.String("rule", decision.Rule),
			slog.String("reason", Printable(HideSecrets(decision.Reason))),
			slog.String("arguments", Printable(LoggableArgs(decision.Args))),
			slog.String("original", Printable(LoggableArgs(decision.Original))))
		s.logger.LogAttrs(ctx, slog.LevelInfo, "tool call rewritten", attributes...)
	default:
		attributes = append(attributes, slog.String("rule", decision.Rule),
			slog.String("reason", Printable(HideSecrets(decision.Reason))),
			slog.String("arguments", Printable(LoggableArgs(request.Call.Args))))
		s.logger.LogAttrs(ctx, slog.LevelWarn, "tool call denied", attributes...)
	}
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
	return string(appendRedacted(nil, skipLeading(decoded.raw), ""))
}

func skipLeading(raw []byte) []byte { return raw[jsonspan.SkipSpace(raw, 0):] }

// longestRedacted is where the members of a long value end in a log.
const longestRedacted = 1 << 14

func appendRedacted(dst, value []byte, name string) []byte {
	kind := jsonspan.KindOf(value)
	switch {
	case name != "" && isSecretName(name):
		return append(append(append(dst, '"'), redacted...), '"')
	case kind == jsonspan.Object:
		dst = append(dst, '{')
		first := true
		for key, value := range jsonspan.Members(value) {
			dst = comma(dst, &first)
			name := string(jsonspan.Key(key))
			dst = jsonspan.AppendQuoted(dst, shorten(name))
			if dst = appendRedacted(append(dst, ':'), value, name); len(dst) >= longestRedacted {
				break
			}
		}
		return append(dst, '}')
	case kind == jsonspan.Array:
		dst = append(dst, '[')
		first := true
		for element := range jsonspan.Elements(value) {
			if dst = appendRedacted(comma(dst, &first), element, ""); len(dst) >= longestRedacted {
				break
			}
		}
		return append(dst, ']')
	case kind == jsonspan.String:
		return jsonspan.AppendQuoted(dst, shorten(HideSecrets(string(valueOf(value).body))))
	}
	return append(dst, value[:min(len(value), shownRunes)]...)
}

func comma(dst []byte, first *bool) []byte {
	if *first {
		*first = false
		return dst
	}
	return append(dst, ',')
}

// shorten cuts a text and says how long it was.
func shorten(text string) string {
	if len(text) <= shownRunes {
		return text
	}
	cut, more := firstRunes([]byte(text), shownRunes)
	if !more {
		return text
	}
	return string(cut) + "… (" + plural(utf8.RuneCountInString(text), "character", "characters") + ")"
}

// Printable makes one line of a text that others wrote: everything that a
// terminal or a reader of logs would act on is escaped.
func Printable(text string) string {
	acts := func(r rune) bool { return !unicode.IsPrint(r) }
	if strings.IndexFunc(text, acts) < 0 && utf8.ValidString(text) {
		return text
	}
	var line strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if piece := text[:size]; r == utf8.RuneError && size == 1 || acts(r) {
			quoted := strconv.QuoteToASCII(piece)
			line.WriteString(quoted[1 : len(quoted)-1])
		} else {
			line.WriteString(piece)
		}
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
	bare := make([]byte, 0, 64)
	for i := max(0, len(name)-64); i < len(name); i++ {
		if !isSeparator(name[i]) {
			bare = append(bare, lower(name[i]))
		}
	}
	for _, word := range secretWords {
		if string(bare) == word || len(word) > 4 && len(bare) > len(word) && string(bare[len(bare)-len(word):]) == word {
			return true
		}
	}
	return false
}
