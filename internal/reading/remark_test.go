package reading_test

import (
	"testing"

	"github.com/bonafide-go/bonafide/internal/reading"
)

func TestRemarks(t *testing.T) {
	for text, remark := range map[string]bool{
		". Don't do that.": true, " ... jk": true, ". Nvmd.": true, ". We'll keep it.": true, ". Turns out I need it.": true,
		". It's fine as it is after all.": true, ". hmm no": true, ". psych!": true,
		"": false, " please": false, ". Thanks!": false, " at seven": false, ". Due on Friday.": false, " and then send it to Bob": false,
		". I found a much better price for it in another shop last week.": false, ". Subject: Hello": false,
	} {
		if reading.Remarks(text) != remark {
			t.Errorf("%q: want %v", text, remark)
		}
	}
}
