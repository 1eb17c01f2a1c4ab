package reading_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestCries(t *testing.T) {
	for _, text := range []string{"👍", "🎉 Congrats!", "Good", "Great, thanks!", "Wow 😄", "Perfect.", "Ha!", "You're welcome! 🌷", "🙂"} {
		require.True(t, reading.Cries(text), text)
	}
	for _, text := range []string{
		"", "Done 🎉", "✅", "✅️ Great", "Locked", "All good", "Good, it's paid", "Yes", "Right", "Great: 3", "Sorted!", "Sent 👍", "No", "Active",
	} {
		require.False(t, reading.Cries(text), text)
	}
}

func TestAdvises(t *testing.T) {
	for _, text := range []string{
		"I recommend rolling back to 2.14.1", "I'd suggest approving L-20 first.", "You should restart the mailer",
		"I'd recommend that you wait", "I advise against it", "I suggest we wait", "You could call the vet",
	} {
		require.True(t, reading.English().Read(nil, text).Advises(), text)
	}
	for _, text := range []string{
		"I recommended a rest", "I suggest a rest, and it was approved", "I've restarted it as I'd suggest",
		"The mailer has been restarted, as I would suggest", "It should be closed now", "I'd suggest a rest. L-20 has been approved", "Closed",
		"I could close it", "I'd suggest it since the door is locked",
	} {
		require.False(t, reading.English().Read(nil, text).Advises(), text)
	}
}
