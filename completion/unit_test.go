package completion

import (
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestUnits: a figure in another unit is the same figure, and one whose unit nobody gives
// may be: it is never called false for certain. Another figure in the same unit still is.
func TestUnits(t *testing.T) {
	const clean, atMostUnsure, noticed, sure = "clean", "at most unsure", "noticed", "sure"
	for _, row := range []struct{ user, call, text, want string }{
		{"order 2 kilos of clay", `order_clay succeeded {"grams":2000}`, "I've ordered 2 kg of clay.", clean},
		{"hold the kiln for 2 hours", `hold_kiln succeeded {"minutes":120}`, "I've held the kiln for 2 hours.", clean},
		{"park the van for an hour and a half", `park_van succeeded {"duration_min":90}`, "I've parked the van for 1.5 hours.", clean},
		{"park the van for 90 minutes", `park_van succeeded {"duration":"PT90M"}`, "I've parked the van for 1 hour 30 minutes.", clean},
		{"heat the oven to 180 celsius", `heat_oven succeeded {"fahrenheit":356}`, "I've heated the oven to 180 °C.", clean},
		{"set the sauna to 80 degrees", `set_sauna succeeded {"temp":80,"unit":"C"}`, "I've set the sauna to 176 °F.", clean},
		{"route the bus over 5 miles", `route_bus succeeded {"km":8}`, "I've routed the bus over 5 miles.", clean},
		{"pay Ann 45 dollars", `pay_person succeeded {"to":"Ann","amount_cents":4500}`, "I've paid Ann 45 dollars.", clean},
		{"book the court from 2 to 5", `book_court succeeded {"start":"14:00","hours":3}`, "I've booked the court from 2 to 5 pm.", clean},
		{"book the court for 3 hours from 2 pm", `book_court succeeded {"start":"14:00","end":"17:00"}`, "I've booked the court for 3 hours.", clean},
		{"raise the quota to 2 GB", `raise_quota succeeded {"mb":2048}`, "I've raised the quota to 2 GB.", atMostUnsure},
		{"freeze the pass for a year", `freeze_pass succeeded {"months":24}`, "I've frozen the pass for 2 years.", clean},
		// Nobody says what the call's figure is in.
		{"hold the kiln for 2 hours", `hold_kiln succeeded {"duration":120}`, "I've held the kiln for 2 hours.", atMostUnsure},
		{"order 2 kilos of clay", `order_clay succeeded {"weight":2000}`, "I've ordered 2 kg of clay.", atMostUnsure},
		{"heat the oven to 180 celsius", `heat_oven succeeded {"temperature":356}`, "I've heated the oven to 180 °C.", atMostUnsure},
		{"start a 2-hour firing", `run_kiln succeeded {"minutes":120}`, "I've started a 2-hour firing.", atMostUnsure},
		{"start a three-day firing", `run_kiln succeeded {"hours":72}`, "I've kicked off the three-day firing.", atMostUnsure},
		// Another figure.
		{"order 2 kilos of clay", `order_clay succeeded {"grams":2500}`, "I've ordered 2 kg of clay.", noticed},
		{"order 2 kilos of clay", `order_clay succeeded {"kg":3}`, "I've ordered 2 kg of clay.", sure},
		{"order 2000 g of clay", `order_clay succeeded {"grams":2500}`, "I've ordered 2000 g of clay.", sure},
		{"hold the kiln for 2 hours", `hold_kiln succeeded {"minutes":90}`, "I've held the kiln for 2 hours.", noticed},
		{"heat the oven to 180 celsius", `heat_oven succeeded {"celsius":160}`, "I've heated the oven to 180 °C.", sure},
		{"pay Ann 45 dollars", `pay_person succeeded {"to":"Ann","dollars":54}`, "I've paid Ann 45 dollars.", sure},
	} {
		tools := []tooltrack.Tool{{Name: recordsOf(row.call, nil)[0].Tool, Effect: tooltrack.Changes}}
		verdict := New(nil).Evaluate(Case{User: row.user, Text: row.text, Tools: tools, Records: recordsOf(row.call, tools)})
		tier := tierOf(&verdict)
		holds := map[string]bool{clean: tier == Clean, atMostUnsure: tier < Sure, noticed: tier > Clean, sure: tier == Sure}
		if !holds[row.want] {
			t.Errorf("%s + %q: %v, want %s: %v", row.call, row.text, tier, row.want, briefly(verdict.Claims))
		}
	}
}
