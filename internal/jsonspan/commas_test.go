package jsonspan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

func TestWithoutLastCommas(t *testing.T) {
	for text, want := range map[string]string{
		``: ``, `{}`: `{}`, `[1,2,]`: `[1,2]`, "{\"a\":[1 ,\n ] ,}": "{\"a\":[1 \n ] }", `[1,2]`: `[1,2]`, `["a,]",]`: `["a,]"]`,
		`["\",]",]`: `["\",]"]`, `["\\",]`: `["\\"]`, `[1,`: `[1,`, `["a\`: `["a\`,
	} {
		require.Equal(t, want, jsonspan.WithoutLastCommas(text), text)
	}
}
