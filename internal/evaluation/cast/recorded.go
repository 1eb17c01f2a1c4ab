package cast

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/bonafide-go/bonafide/internal/evaluation/labelled"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// recordedCase is a line of a file of turns, and the line of its labels.
type recordedCase struct {
	ID    string `json:"id"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Effect      string          `json:"effect"`
	} `json:"tools"`
	User     string         `json:"user"`
	Previous string         `json:"previous"`
	Earlier  []recordedCall `json:"earlier"`
	Calls    []recordedCall `json:"calls"`
	Text     string         `json:"text"`

	Ghost    bool     `json:"ghost"`
	Kind     string   `json:"kind"`
	Outcome  string   `json:"outcome"`
	Source   string   `json:"source"`
	Note     string   `json:"note"`
	Expected []string `json:"expected"`
	Maybe    []string `json:"maybe"`
}

type recordedCall struct {
	Tool      string           `json:"tool"`
	Arguments json.RawMessage  `json:"arguments"`
	Status    tooltrack.Status `json:"status"`
	Result    string           `json:"result"`
}

// Recorded reads the turns of a set, one domain for each set of tools. The files
// are SET.cases.jsonl and SET.truth.jsonl; the labels of what is expected are
// those of another set with the same turns.
func Recorded(dir, set, expected string) ([]labelled.Domain, error) {
	turns, order := map[string]*recordedCase{}, []string(nil)
	for _, name := range []string{set + ".cases", set + ".truth", expected + ".truth"} {
		err := lines(filepath.Join(dir, name+".jsonl"), func(line []byte) error {
			var id struct{ ID string }
			if err := json.Unmarshal(line, &id); err != nil {
				return err
			}
			if turns[id.ID] == nil {
				turns[id.ID] = &recordedCase{}
				order = append(order, id.ID)
			}
			return json.Unmarshal(line, turns[id.ID])
		})
		if err != nil {
			return nil, err
		}
	}
	var domains []labelled.Domain
	bySource := map[string]int{}
	for _, id := range order {
		recorded := turns[id]
		if len(recorded.Tools) == 0 {
			continue
		}
		at, known := bySource[recorded.Source]
		if !known {
			at, bySource[recorded.Source] = len(domains), len(domains)
			domains = append(domains, labelled.Domain{Name: recorded.Source, Tools: recorded.tools()})
		}
		domains[at].Turns = append(domains[at].Turns, recorded.turn())
	}
	return domains, nil
}

func (c *recordedCase) tools() []tooltrack.Tool {
	var tools []tooltrack.Tool
	for _, tool := range c.Tools {
		effect := tooltrack.Changes
		if tool.Effect == "reads" {
			effect = tooltrack.Reads
		}
		tools = append(tools, tooltrack.Tool{
			Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters, Effect: effect,
		})
	}
	return tools
}

func (c *recordedCase) turn() labelled.Turn {
	turn := labelled.Turn{
		ID: c.ID, User: c.User, Previous: c.Previous, Text: c.Text,
		Expected: c.Expected, Maybe: c.Maybe, Ghost: c.Ghost, Kind: c.Note, Outcome: c.Outcome,
	}
	for _, made := range c.Earlier {
		turn.Earlier = append(turn.Earlier, labelled.Call(made))
	}
	for _, made := range c.Calls {
		turn.Calls = append(turn.Calls, labelled.Call(made))
	}
	return turn
}

func lines(path string, visit func([]byte) error) error {
	file, err := os.Open(path) // #nosec G304 -- tests name the folder
	if err != nil {
		return err
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<24)
	for number := 1; scan.Scan(); number++ {
		if err := visit(scan.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	return scan.Err()
}
