package completion

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

func TestCalled(t *testing.T) {
	both := Called("send_mail", "anna@example.com", "bo@example.com")
	turn := Case{Records: recordsOf(`send_mail succeeded {"to":["anna@example.com"]}; send_mail failed {"to":["bo@example.com"]}`, nil)}
	require.Equal(t, "a call of send_mail for bo@example.com", both.Unmet(turn, Blocker{}))
	turn.Records = append(turn.Records, record(`send_mail succeeded {"to":["bo@example.com"]}`, nil))
	require.Empty(t, both.Unmet(turn, Blocker{}))
	require.Equal(t, "a call of save", Called("save").Unmet(turn, Blocker{}))
	require.Empty(t, Called("send_mail").Unmet(turn, Blocker{}))
}

func TestCovers(t *testing.T) {
	files := Covers("read_file", "a.go", "b.go")
	whole, part := record(`read_file succeeded {"path":"a.go"}`, nil), record(`read_file succeeded {"path":"b.go"}`, nil)
	part.Result = tooltrack.ResultOf([]byte(`{"text":"package b","truncated":true}`), nil)
	turn := Case{Earlier: []*tooltrack.Record{whole}, Records: []*tooltrack.Record{part}}
	require.Equal(t, "a whole read of b.go", files.Unmet(turn, Blocker{}))
	part.Result = tooltrack.ResultOf([]byte(`{"text":"package b"}`), nil)
	require.Empty(t, files.Unmet(turn, Blocker{}))
}
