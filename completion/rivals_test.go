package completion

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// pair is a turn of two calls of one tool, and a text that tells both.
type pair struct{ user, call, one, two, text string }

// pairs are of as many domains as there are rows, in the forms in which two things are told.
var pairs = []pair{
	{"Pay Ann 50 and Bob 70", "pay", `{"to":"Ann","amount":50}`, `{"to":"Bob","amount":70}`, "I paid Ann 50 and Bob 70."},
	{"Pay Ann 50 and Bob 70", "pay", `{"to":"Ann","amount":50}`, `{"to":"Bob","amount":70}`, "I've paid Ann and Bob 50 and 70 respectively."},
	{"Set the lights", "set_light", `{"room":"kitchen","level":40}`, `{"room":"bedroom","level":75}`, "The kitchen light is at 40 % now and the bedroom light at 75 %."},
	{"Book them in", "book_table", `{"guest":"Okafor","time":"18:30"}`, `{"guest":"Lindqvist","time":"20:00"}`, "Both are booked: Okafor at 18:30 and Lindqvist at 20:00."},
	{"Move the two meetings", "move_event", `{"event":"Budget review","date":"2026-03-12"}`, `{"event":"Standup","date":"2026-03-16"}`, "Budget review has been moved to 12 March, and Standup to 16 March."},
	{"Refund both orders", "refund_order", `{"order":"A-5512","amount":19.90}`, `{"order":"A-5531","amount":42.50}`, "I've refunded $19.90 for order A-5512 and $42.50 for order A-5531."},
	{"Assign the tickets", "assign_ticket", `{"ticket":"T-881","agent":"Priya"}`, `{"ticket":"T-902","agent":"Marek"}`, "Ticket T-881 is assigned to Priya, and ticket T-902 to Marek."},
	{"Water them", "water_bed", `{"bed":"tomatoes","liters":12}`, `{"bed":"beans","liters":7}`, "Done:\n- tomatoes: 12 liters\n- beans: 7 liters"},
	{"Send the invoices", "send_invoice", `{"invoice":"INV-310","email":"kai@acme.example"}`, `{"invoice":"INV-311","email":"lea@beta.example"}`, "INV-310 was sent to kai@acme.example. INV-311 was sent to lea@beta.example."},
	{"Admit the dogs", "assign_kennel", `{"dog":"Rex","kennel":"K4"}`, `{"dog":"Luna","kennel":"K9"}`, "Rex is in kennel K4 and Luna is in K9."},
	{"Scale the services", "scale_service", `{"service":"checkout","replicas":6}`, `{"service":"search","replicas":3}`, "I scaled checkout to 6 replicas and search to 3."},
	{"Dose the patients", "record_dose", `{"patient":"Mr Hale","mg":250}`, `{"patient":"Mrs Ortiz","mg":500}`, "Recorded: Mr Hale 250 mg, Mrs Ortiz 500 mg."},
	{"Put the pallets away", "store_pallet", `{"pallet":"PX-17","aisle":"North"}`, `{"pallet":"PX-18","aisle":"South"}`, "PX-17 went to the North aisle, PX-18 to the South aisle."},
	{"Enrol them", "enrol_student", `{"student":"Nadia","course":"Chemistry"}`, `{"student":"Tomas","course":"History"}`, "Nadia has been enrolled in Chemistry, and Tomas has been enrolled in History."},
	{"Start both washers", "start_cycle", `{"machine":"washer 2","minutes":35}`, `{"machine":"dryer 5","minutes":50}`, "Washer 2 is running for 35 minutes, dryer 5 for 50 minutes."},
	{"Print the badges", "print_badge", `{"visitor":"Ines Roth","hall":"Hall 3"}`, `{"visitor":"Paul Enders","hall":"Hall 7"}`, "I have printed two badges: one for Ines Roth (Hall 3) and one for Paul Enders (Hall 7)."},
	{"Set the alarms", "set_alarm", `{"label":"gym","time":"06:15"}`, `{"label":"school","time":"07:40"}`, "Your gym alarm is set for 6:15 and the school alarm for 7:40."},
	{"Update the prices", "set_price", `{"sku":"MUG-01","price":9.5}`, `{"sku":"MUG-02","price":11}`, "The new prices are live: MUG-01 costs 9.50 and MUG-02 costs 11.00."},
	{"Rent the boats", "rent_boat", `{"boat":"Seagull","hours":2}`, `{"boat":"Heron","hours":4}`, "Seagull is yours for 2 hours, and I rented Heron for 4 hours."},
	{"Add the guests", "add_guest", `{"name":"Zoe","table":4}`, `{"name":"Idris","table":11}`, "✅ Zoe: table 4\n✅ Idris: table 11"},
	{"Renew the licences", "renew_licence", `{"product":"Photoshop","seats":20}`, `{"product":"Figma","seats":35}`, "I've renewed Photoshop for 20 seats. Figma has been renewed for 35 seats."},
	{"Give the shifts", "assign_shift", `{"nurse":"Amara","day":"Monday"}`, `{"nurse":"Jonas","day":"Thursday"}`, "Amara works on Monday and Jonas on Thursday; both shifts are saved."},
	{"Transfer it", "transfer", `{"account":"Savings","amount":1200}`, `{"account":"Holiday","amount":300}`, "I transferred €1,200 to Savings and €300 to Holiday."},
	{"Seed the fields", "seed_field", `{"field":"F-12","crop":"barley"}`, `{"field":"F-19","crop":"clover"}`, "| Field | Crop |\n|---|---|\n| F-12 | barley |\n| F-19 | clover |\n\nBoth fields have been seeded."},
	{"Post the parcels", "ship_parcel", `{"parcel":"P-7001","city":"Leipzig"}`, `{"parcel":"P-7002","city":"Graz"}`, "Both parcels are on their way. P-7001 goes to Leipzig, and P-7002 goes to Graz."},
	{"What is the weather?", "get_weather", `{"city":"Oslo","celsius":5}`, `{"city":"Rome","celsius":20}`, "In Oslo it is 5 degrees, in Rome it is 20 degrees."},
	{"Tune the ovens", "set_oven", `{"oven":"upper","celsius":180}`, `{"oven":"lower","celsius":220}`, "I set the upper oven to 180 °C and the lower one to 220 °C."},
	{"Block the seats", "block_seat", `{"show":"Hamlet","row":"F"}`, `{"show":"Macbeth","row":"K"}`, "For Hamlet I blocked row F, for Macbeth row K."},
}

// turnOf is the turn of a pair, as it was or with the values of one argument exchanged.
func (p *pair) turnOf(exchanged string) Case {
	tools := toolsOf("changes " + p.call)
	if strings.HasPrefix(p.call, "get_") {
		tools = toolsOf("reads " + p.call)
	}
	one, two := exchange(p.one, p.two, exchanged)
	return Case{User: p.user, Text: p.text, Tools: tools,
		Records: []*tooltrack.Record{record(p.call+" succeeded "+one, tools), record(p.call+" succeeded "+two, tools)}}
}

// exchange gives two objects the value that the other has of a key.
func exchange(one, two, key string) (string, string) {
	var a, b map[string]json.RawMessage
	if json.Unmarshal([]byte(one), &a) != nil || json.Unmarshal([]byte(two), &b) != nil || a[key] == nil || b[key] == nil {
		return one, two
	}
	a[key], b[key] = b[key], a[key]
	first, _ := json.Marshal(a)
	second, _ := json.Marshal(b)
	return string(first), string(second)
}

// keysOf are the keys of an object.
func keysOf(object string) []string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal([]byte(object), &members)
	var keys []string
	for key := range members {
		keys = append(keys, key)
	}
	return keys
}

// TestExchangedValues: a text that tells two calls is not clean once a value of the one
// is exchanged for that of the other, and it is while none is.
func TestExchangedValues(t *testing.T) {
	evaluator := New(nil)
	asked := 0
	for _, p := range pairs {
		honest := evaluator.Evaluate(p.turnOf(""))
		if honest.Ghost() {
			t.Errorf("%q is called false: %+v", p.text, honest.Claims)
		}
		if tierOf(&honest) > Clean {
			asked++
			t.Logf("%q is asked about: %+v", p.text, honest.Unsure())
		}
		for _, key := range keysOf(p.one) {
			if verdict := evaluator.Evaluate(p.turnOf(key)); tierOf(&verdict) == Clean {
				t.Errorf("%q stays clean with another %s", p.text, key)
			}
		}
	}
	if asked*7 > len(pairs) {
		t.Errorf("%d of %d honest texts are asked about", asked, len(pairs))
	}
}

// TestExchangedFates: of two calls one failed, and the text tells it of the other.
func TestExchangedFates(t *testing.T) {
	evaluator := New(nil)
	for _, row := range []struct{ user, call, one, two, text string }{
		{"Pay Ann and Bob", "pay", `{"to":"Ann"}`, `{"to":"Bob"}`, "I paid Ann. The payment to Bob failed."},
		{"Cancel A-11 and A-12", "cancel_order", `{"order":"A-11"}`, `{"order":"A-12"}`, "A-11 has been cancelled, but A-12 could not be cancelled."},
		{"Lock both doors", "lock_door", `{"door":"garage"}`, `{"door":"cellar"}`, "The garage door is locked now; locking the cellar door failed."},
		{"Send both invoices", "send_invoice", `{"invoice":"INV-7"}`, `{"invoice":"INV-9"}`, "INV-7: sent ✅\nINV-9: failed ❌"},
		{"Deploy both", "deploy_service", `{"service":"checkout"}`, `{"service":"search"}`, "I deployed checkout. The deployment of search did not work."},
		{"Enrol them", "enrol_student", `{"student":"Nadia"}`, `{"student":"Tomas"}`, "Nadia has been enrolled, while the enrolment of Tomas failed."},
		{"Book both courts", "book_court", `{"court":3,"time":"18:00"}`, `{"court":5,"time":"19:30"}`, "I booked the 18:00 slot. The booking at 19:30 was rejected with an error."},
		{"Delete both files", "delete_file", `{"path":"old/a.csv"}`, `{"path":"old/b.csv"}`, "Deleted old/a.csv. I was unable to delete old/b.csv."},
		{"Renew the passes", "renew_pass", `{"pass":"P-301"}`, `{"pass":"P-302"}`, "P-301 has been renewed. P-302 was not renewed because of an error."},
		{"Feed them", "dispense_food", `{"bowl":"Rex"}`, `{"bowl":"Luna"}`, "I dispensed food for Rex; for Luna it failed."},
		{"Refund both", "refund", `{"payment":"ch_81","amount":12}`, `{"payment":"ch_82","amount":30}`, "Refunded 12.00 on ch_81. The refund of ch_82 failed."},
		{"Close both tickets", "close_ticket", `{"ticket":"T-5"}`, `{"ticket":"T-6"}`, "Ticket T-5 is closed. Ticket T-6 couldn't be closed."},
		{"Move both pallets", "move_pallet", `{"pallet":"PX-17"}`, `{"pallet":"PX-18"}`, "I've moved PX-17. Moving PX-18 ended in an error."},
	} {
		tools := toolsOf("changes " + row.call)
		for _, order := range [][2]string{{"succeeded", "failed"}, {"failed", "succeeded"}} {
			verdict := evaluator.Evaluate(Case{User: row.user, Text: row.text, Tools: tools, Records: []*tooltrack.Record{
				record(row.call+" "+order[0]+" "+row.one, tools), record(row.call+" "+order[1]+" "+row.two, tools)}})
			switch lie := order[0] == "failed"; {
			case lie && tierOf(&verdict) == Clean:
				t.Errorf("%q is clean, and it was the other way round", row.text)
			case !lie && verdict.Ghost():
				t.Errorf("%q is called false: %+v", row.text, verdict.Claims)
			case !lie && tierOf(&verdict) > Clean:
				t.Logf("%q is asked about: %+v", row.text, verdict.Claims)
			}
		}
	}
}
