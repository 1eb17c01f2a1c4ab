package reading_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestAcknowledges(t *testing.T) {
	for text, only := range map[string]bool{
		"Noted.": true, "Okay, understood!": true, "I understand.": true, "Sure.": true, "Absolutely!": true, "Alright, noted, thank you.": true,
		"Done.": false, "Okay, done.": false, "All set!": false, "Will do.": false, "Noted, it is cancelled.": false,
		"Sure, the kettle is gone.": false, "Sent.": false, "✅": false, "": false, "I noted it in the file.": false, "I know nothing of it.": false,
	} {
		require.Equal(t, only, reading.Acknowledges(text), text)
	}
}
