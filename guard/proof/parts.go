package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/internal/jsonspan"
)

// Part is a part of a report: what it rests on, and its text.
type Part struct {
	// Calls are those that show the text, as the model cites them, or "no call" or "not done".
	Calls json.RawMessage `json:"calls"`
	// Text is what the user reads.
	Text string `json:"text"`
}

// ReadReport reads the arguments of the report tool. Beside an error, the parts are those
// that have a text.
func ReadReport(args []byte) ([]Part, error) {
	const most = 128
	var raw struct {
		Parts []Part `json:"parts"`
		olderReport
	}
	if err := json.Unmarshal(args, &raw); err != nil {
		var said struct{ Message string }
		if json.Unmarshal(args, &said) != nil || said.Message == "" {
			return nil, fmt.Errorf("the report is not of the given shape: %w", err)
		}
		return []Part{{Text: said.Message}}, fmt.Errorf("the report is not of the given shape: %w", err)
	}
	if len(raw.Items) > most {
		return []Part{{Text: raw.Message}}, fmt.Errorf("there are %d items; at most %d are read", len(raw.Items), most)
	}
	if len(raw.Parts) == 0 && raw.Message != "" {
		raw.Parts = raw.olderReport.parts()
	}
	if len(raw.Parts) > most {
		return raw.Parts[:most], fmt.Errorf("there are %d parts; at most %d are read", len(raw.Parts), most)
	}
	if TextOf(raw.Parts) == "" {
		return nil, errors.New("the report lacks a text for the user")
	}
	return raw.Parts, nil
}

// olderReport is the shape that models know from older versions: a message, and items with the
// calls that they cite.
type olderReport struct {
	Message string `json:"message"`
	Items   []struct {
		Calls json.RawMessage `json:"calls"`
	} `json:"items"`
}

// parts is such a report as one part that rests on all calls.
func (r *olderReport) parts() []Part {
	var calls []string
	for _, item := range r.Items {
		for element := range jsonspan.Elements(item.Calls) {
			calls = append(calls, string(element))
		}
	}
	return []Part{{Text: r.Message, Calls: json.RawMessage("[" + strings.Join(calls, ",") + "]")}}
}

// TextOf is what the parts of a report say to the user.
func TextOf(parts []Part) string {
	var text strings.Builder
	for _, part := range parts {
		said := part.Text
		if strings.TrimSpace(said) == "" {
			continue
		}
		if text.Len() > 0 && !strings.HasSuffix(text.String(), "\n") && !strings.HasPrefix(said, "\n") {
			if listLine.MatchString(said) {
				text.WriteByte('\n')
			} else {
				text.WriteByte(' ')
			}
		}
		text.WriteString(said)
	}
	return strings.TrimSpace(text.String())
}

// listLine is how a line of a list begins.
var listLine = regexp.MustCompile(`^(?:[-*+•–]|[0-9]{1,3}[.)]) `)

// nthCall is how a part cites: the name of a tool, and the how-manieth call of it.
var nthCall = regexp.MustCompile(`^(.*?)(?:\s*(?:#|\s|\()\s*([0-9]{1,3})\)?)?$`)

// Basis is what a part says that it rests on. Calls are cited by tool and number, since no
// list of records was there when the tool was offered.
func (p *Part) Basis(list List) (basis Basis, err error) {
	if basis, ok := wholeBasis(jsonspan.Scalar(p.Calls)); ok && jsonspan.KindOf(p.Calls) == jsonspan.String {
		return basis, nil
	}
	if jsonspan.KindOf(p.Calls) == jsonspan.String {
		return basis, cite(&basis, list, jsonspan.Scalar(p.Calls), 1)
	}
	for element := range jsonspan.Elements(p.Calls) {
		var object struct {
			Tool string `json:"tool"`
			N    int    `json:"n"`
		}
		if jsonspan.KindOf(element) == jsonspan.Object && json.Unmarshal(element, &object) == nil {
			err = cite(&basis, list, object.Tool, max(object.N, 1))
		} else if one, ok := wholeBasis(jsonspan.Scalar(element)); ok {
			basis.NoCall, basis.NotDone = basis.NoCall || one.NoCall, basis.NotDone || one.NotDone
		} else {
			err = cite(&basis, list, jsonspan.Scalar(element), 1)
		}
		if err != nil {
			return basis, err
		}
	}
	basis.NoCall = basis.NoCall || len(basis.Records) == 0 && !basis.NotDone
	return basis, nil
}

// wholeBasis is what words say that name no call.
func wholeBasis(words string) (Basis, bool) {
	switch strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(strings.TrimSpace(words))) {
	case "no call", "none", "":
		return Basis{NoCall: true}, true
	case "not done":
		return Basis{NotDone: true}, true
	}
	return Basis{}, false
}

// cite adds the n-th call of a tool, or the one whose number stands behind its name.
func cite(basis *Basis, list List, tool string, n int) error {
	number := list.Number(tool, n)
	if found := nthCall.FindStringSubmatch(strings.TrimSpace(tool)); number == 0 && found != nil && found[2] != "" {
		n, _ = strconv.Atoi(found[2])
		tool = strings.TrimSpace(found[1])
		number = list.Number(tool, n)
	}
	if number == 0 {
		return fmt.Errorf("there is no call %d of %s among the last %d of this turn", n, plainName(tool), MaxListed)
	}
	basis.Records = append(basis.Records, number)
	return nil
}
