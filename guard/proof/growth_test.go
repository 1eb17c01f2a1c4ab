package proof_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard/proof"
	"github.com/bonafide-go/bonafide/internal/benchbound"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// BenchmarkGrowth: a message of many claims, values and titles beside a full
// report takes time in proportion to its length.
func BenchmarkGrowth(b *testing.B) {
	var report proof.Report
	var records []*tooltrack.Record
	for i := range proof.MaxListed {
		report.Items = append(report.Items, proof.Item{What: fmt.Sprintf("refund KT-%d", 10000+i), Status: proof.Done, Records: []int{i + 1}})
		records = append(records, call("issue_refund", fmt.Sprintf(`{"order":"KT-%d","amount":%d}`, 10000+i, i*7), tooltrack.Succeeded, `{"ok":true}`))
	}
	check := func(claims int) func() {
		var text strings.Builder
		var verdict completion.Verdict
		for i := range claims {
			said := fmt.Sprintf("I refunded order KT-%d for %d.%02d EUR to \"Ann %d\"", 10000+i, i*7, i%100, i)
			text.WriteString(said + ": done. ")
			verdict.Claims = append(verdict.Claims, completion.Claim{Text: said, Doubt: 0.8, Tier: completion.Unsure})
		}
		turn := proof.Case{User: "refund them", Draft: text.String(), Tools: shop, List: proof.NewList(nil, records),
			Judge: func(string) completion.Verdict { return verdict }}
		return func() { proof.Check(report, turn) }
	}
	benchbound.Ratio(b, 24, check(2000), check(250))
}
