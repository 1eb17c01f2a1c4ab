package policy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-go/bonafide/internal/golden"
)

func TestRelativeDates(t *testing.T) {
	// 8 February 2026 is a Sunday.
	cases := map[string]string{
		"today": "2026-02-08", "Tonight": "2026-02-08", "tomorrow": "2026-02-09", " Tomorrow. ": "2026-02-09", "day after tomorrow": "2026-02-10", "the day after tomorrow": "2026-02-10", "yesterday": "2026-02-07",
		"monday": "2026-02-09", "on Monday": "2026-02-09", "next Monday": "2026-02-09", "NEXT  monday": "2026-02-09", "this Saturday": "2026-02-14", "next Saturday": "2026-02-14", "next sun": "2026-02-15", "next Sunday": "2026-02-15", "this Sunday": "2026-02-08",
		"next week": "2026-02-15", "next month": "2026-03-08", "next year": "2027-02-08", "in two weeks": "2026-02-22", "in 2 weeks": "2026-02-22", "in a week": "2026-02-15", "in 1 day": "2026-02-09", "in 10 days": "2026-02-18",
		"3 days from now": "2026-02-11", "two weeks from today": "2026-02-22", "in three months": "2026-05-08", "in a year": "2027-02-08",
		// not dates, or too vague for one
		"": "", "soon": "", "later": "", "sunday": "", "next weekend": "", "end of month": "", "in weeks": "", "in -1 days": "", "in 5000 days": "", "next": "", "on": "", "last monday": "", "in two": "", "mañana": "", "tomorrow at noon": "", "in two decades": "", "in 2 weeks 3 days": "", strings.Repeat("tomorrow ", 20): "",
	}
	now := clockAt("2026-02-08")
	for text, want := range cases {
		date, ok := relativeDate(text, now)
		if got := date.Format(time.DateOnly); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s, %v, want %q", text, got, ok, want)
		}
	}
	if date, _ := relativeDate("next month", clockAt("2026-01-31")); date.Format(time.DateOnly) != "2026-02-28" {
		t.Errorf("a month after 31 January is %s", date)
	}
	if date, _ := relativeDate("in a year", clockAt("2028-02-29")); date.Format(time.DateOnly) != "2029-02-28" {
		t.Errorf("a year after 29 February is %s", date)
	}
}

// The calendar is the user's: late on Sunday in UTC it is Monday in Tokyo.
func TestRelativeDatesFollowTheTimeZone(t *testing.T) {
	late := time.Date(2026, 2, 8, 20, 0, 0, 0, time.UTC)
	tokyo := time.FixedZone("JST", 9*60*60)
	honolulu := time.FixedZone("HST", -10*60*60)
	for zone, want := range map[*time.Location]string{time.UTC: "2026-02-09", tokyo: "2026-02-10", honolulu: "2026-02-09"} {
		if date, ok := relativeDate("tomorrow", late.In(zone)); !ok || date.Format(time.DateOnly) != want {
			t.Errorf("%s: %s", zone, date)
		}
	}
	if date, _ := relativeDate("next Monday", late.In(tokyo)); date.Format(time.DateOnly) != "2026-02-16" {
		t.Errorf("next Monday on a Monday in Tokyo is %s", date)
	}
}

func TestDateContext(t *testing.T) {
	text := DateWindow{}.DateContext(clockAt("2026-02-08"))
	golden.Check(t, "datecontext.txt", text+"\n----\n"+DateWindow{YearsBack: 1, YearsAhead: 10}.DateContext(clockAt("2026-12-31")))
	if strings.Count(strings.ToLower(text), "sunday") < 2 || strings.Count(text, "2026") < 2 {
		t.Errorf("the day is not stated twice:\n%s", text)
	}
}

// The years that the text forbids and allows are those that the rule refuses
// and accepts.
func TestDateContextSaysWhatTheRuleDoes(t *testing.T) {
	for _, window := range []DateWindow{{}, {YearsBack: 1, YearsAhead: 10}, {YearsAhead: 2}} {
		text := window.DateContext(clockAt("2026-02-08"))
		allowed := regexp.MustCompile(`Allowed: (\d{4})-01-01 to (\d{4})-12-31`).FindStringSubmatch(text)
		forbidden := regexp.MustCompile(`FORBIDDEN years: (\d+), (\d+) and any year before, and any year after (\d+)`).FindStringSubmatch(text)
		set := sampleSet(t, func(s *sample) { s.due = window })
		passes := func(format string, year string) bool {
			return reviewOf(t, set, "create_task", obj("title", "x", "due_date", fmt.Sprintf(format, year))).Kind == Approve
		}
		if !passes("%s-01-01", allowed[1]) || !passes("%s-12-31", allowed[2]) {
			t.Errorf("%+v: an allowed year is refused", window)
		}
		after := fmt.Sprint(atoi(t, forbidden[3]) + 1)
		if passes("%s-12-31", forbidden[1]) || passes("%s-12-31", forbidden[2]) || passes("%s-01-01", after) {
			t.Errorf("%+v: a forbidden year is accepted", window)
		}
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%q is no number", text)
	}
	return n
}

func FuzzDate(f *testing.F) {
	for _, text := range []string{"2026-03-15", "2026-03-15T10:00:00.123+05:30", "next Monday", "in 3 weeks", "2026-02-30"} {
		f.Add(text)
	}
	now := clockAt("2026-03-01")
	f.Fuzz(func(t *testing.T, text string) {
		if date, ok := parseDate([]byte(text)); ok {
			// What we accept, the standard library reads to the same day, apart from
			// the lower-case letters that RFC 3339 allows and time.Parse does not.
			spelled := strings.ToUpper(text)
			want, err := time.Parse(time.RFC3339, spelled)
			if len(text) == 10 {
				want, err = time.Parse(time.DateOnly, text)
			}
			if err != nil || want.Format(time.DateOnly) != date.Format(time.DateOnly) {
				t.Errorf("%q: %s, the standard library says %s, %v", text, date, want, err)
			}
		}
		if date, ok := relativeDate(text, now); ok && (date.Year() < 2026 || date.Year() > 3100) && text != "yesterday" {
			t.Errorf("%q is %s", text, date)
		}
	})
}
