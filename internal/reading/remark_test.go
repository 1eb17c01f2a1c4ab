package reading_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestRemarks(t *testing.T) {
	for text, remark := range map[string]bool{
		". Don't do that.": true, " ... jk": true, ". Nvmd.": true, ". We'll keep it.": true, ". Turns out I need it.": true,
		". It's fine as it is after all.": true, ". hmm no": true, ". psych!": true,
		", haha no": true, ". abort abort": true, ". halt!": true, ". Just testing.": true, ", just a test": true, ". Only testing you.": true,
		". Already done.": true, ". Sorted.": true, " - solved": true, ". But first tell me the fee.": true,
		"": false, " please": false, ". Thanks!": false, " at seven": false, ". Due on Friday.": false, " and then send it to Bob": false,
		". I found a much better price for it in another shop last week.": false, ". Subject: Hello": false,
		". Stop the music.": false, ". ASAP": false, ". Only the first two": false, ", the red kettle": false, ". Cancel order 13.": false,
		". Delivered on Friday": false, ". It's urgent.": false, ", carla.mendes@inbox.example": false, " - s_lindqvist": false, " and mark it as sorted": false,
	} {
		if reading.Remarks(text) != remark {
			t.Errorf("%q: want %v", text, remark)
		}
	}
}

func TestRecoils(t *testing.T) {
	for text, recoils := range map[string]bool{
		" haha no": true, " no, don't": true, " just a joke": true, " only testing": true,
		"": false, " no fee": false, " she was in hospital": false, " damaged": false, " only the first two": false, " thanks": false,
		" carla.mendes@inbox.example": false,
	} {
		if reading.Recoils(text) != recoils {
			t.Errorf("%q: want %v", text, recoils)
		}
	}
}
