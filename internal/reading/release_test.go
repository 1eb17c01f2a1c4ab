package reading

import "testing"

// TestAwaitsRelease: an answer may say that somebody has to do something first; what is
// queued or runs goes on by itself.
func TestAwaitsRelease(t *testing.T) {
	for answer, want := range map[string]bool{
		`{"state":"AWAITING_APPROVAL"}`: true, `{"status":"SCA_REQUIRED"}`: true, "second signature needed": true,
		"the desk must confirm": true, `{"state":"requiresReview"}`: true, "": false, "invitation sent, awaiting acceptance": false,
		`{"state":"queued"}`: false, `{"status":"running","job":"j-7"}`: false, "upload in progress": false,
	} {
		if got := English().AwaitsRelease(answer); got != want {
			t.Errorf("%q: %t", answer, got)
		}
	}
}

// TestNamesRelease: a text that speaks of an approval keeps nothing quiet.
func TestNamesRelease(t *testing.T) {
	for text, want := range map[string]bool{
		"It takes the manager's approval.": true, "Anna has to approve it first.": true, "A second person must sign.": true,
		"The refund has been paid.": false, "Your seat is confirmed.": false,
	} {
		var read Text
		English().Read(&read, text)
		if got := read.NamesRelease(); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
