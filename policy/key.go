package policy

import (
	"bytes"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// foldKey maps a key to the form under which lenient decoders may confuse it:
// NFKC, full case folding, and no invisible characters. Each character is put in
// upper and then in lower case first, since decoders that compare by one of them
// take the two Turkish letters for an i, which folding keeps apart.
func foldKey(text []byte) string {
	if isASCII(text) {
		return string(bytes.ToLower(text))
	}
	visible := bytes.Map(func(r rune) rune {
		if isInvisible(r) && !unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, text)
	return string(norm.NFKC.Bytes(cases.Fold().Bytes(norm.NFKC.Bytes(visible))))
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
