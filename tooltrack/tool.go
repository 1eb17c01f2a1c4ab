package tooltrack

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Tool describes a tool once for all packages: what is bound to the model, which words ask for
// it, which arguments it takes and what its success proves.
type Tool struct {
	// Name is what the model calls: letters, digits, "_", "-", "." or ":".
	Name string `json:"name"`
	// Description is what the model and the intent classifier read.
	Description string `json:"description,omitempty"`
	// Parameters is the JSON Schema of the arguments; nil means "no schema".
	Parameters json.RawMessage `json:"parameters,omitempty"`
	// Effect says what a success does to the world.
	Effect Effect `json:"effect,omitempty"`
	// Idempotent tools may run again when the fate of the same call is unknown.
	Idempotent bool `json:"idempotent,omitempty"`
	// Repeatable tools mean a new act every time they are called with the same arguments, such
	// as appending a line: they are exempt from "at most once".
	Repeatable bool `json:"repeatable,omitempty"`
	// Returns declares that a success has a result: an empty one leaves it in doubt.
	Returns bool `json:"returns,omitempty"`
	// Subject names the argument that says which entity is meant.
	Subject SubjectArg `json:"subject,omitzero"`
	// Delegates declares a tool that hands its work to another agent. Its success shows that the
	// other one answered, not what it did.
	Delegates bool `json:"delegates,omitempty"`
	// Answer declares a tool that is the answer itself, as final_answer is: the text in its
	// argument ends the turn and is judged like any other.
	Answer AnswerArg `json:"answer,omitzero"`
	// Confirm says how what the tool did can be seen in the world. Default: not at all.
	Confirm *Confirm `json:"confirm,omitempty"`
	// Words are the host's own verbs and nouns for this tool.
	Words Words `json:"words,omitzero"`
	// Implied is what the words of the tool imply beside what is declared here. Nil lets package
	// guard find out; the ledger alone assumes nothing.
	Implied *Implied `json:"-"`
}

// SubjectArg names the argument that refers to an entity, and the kind of entity.
type SubjectArg struct {
	// Arg is the argument's name, such as "task_id".
	Arg string `json:"arg,omitempty"`
	// Kind is what people call the entity, such as "task".
	Kind string `json:"kind,omitempty"`
}

// AnswerArg says which argument of a tool holds the text for the user; none by default.
type AnswerArg struct {
	// Arg is the name of the argument.
	Arg string `json:"arg,omitempty"`
}

// Words are extra verbs and nouns by which people ask for a tool and models report on it. They
// add to the built-in word lists.
type Words struct {
	// Verbs are in their base form: "file" for a tool that archives.
	Verbs []string `json:"verbs,omitempty"`
	// Nouns are in the singular: "ticket".
	Nouns []string `json:"nouns,omitempty"`
}

// MaxToolName is the longest name a tool may have, in bytes.
const MaxToolName = 128

// Validate reports the first thing that is wrong with the description, naming
// the field and what to do about it.
func (t Tool) Validate() error {
	switch {
	case t.Name == "":
		return errors.New("tool name is empty; give the name that the model calls")
	case len(t.Name) > MaxToolName:
		return fmt.Errorf("tool name %q has %d bytes; at most %d are allowed", clipped(t.Name), len(t.Name), MaxToolName)
	case !isValidName(t.Name):
		return fmt.Errorf("tool name %q may hold only letters, digits, '_', '-', '.' and ':'", clipped(t.Name))
	case int(t.Effect) >= len(effectNames):
		return fmt.Errorf("tool %s: effect %d is not one of %s; set Effect to Reads, Changes or Verifies, or leave "+
			"it out", t.Name, uint8(t.Effect), strings.Join(effectNames[:], ", "))
	case len(t.Parameters) > 0 && !json.Valid(t.Parameters):
		return fmt.Errorf("tool %s: parameters are not valid JSON; give a JSON Schema object or leave them out", t.Name)
	}
	return nil
}

// ValidateTools checks each tool and that no name is used twice. It tells all that
// is wrong, a line for each tool.
func ValidateTools(tools []Tool) error {
	var faults []error
	seen := make(map[string]bool, len(tools))
	for i, tool := range tools {
		if err := tool.Validate(); err != nil {
			faults = append(faults, fmt.Errorf("tools[%d]: %w", i, err))
		} else if seen[tool.Name] {
			faults = append(faults, fmt.Errorf("tools[%d]: the name %s is used twice; names must be unique", i, tool.Name))
		}
		seen[tool.Name] = true
	}
	return errors.Join(faults...)
}

func isValidName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !(r < 0x80 && (isLetter(byte(r)) || r >= '0' && r <= '9' || strings.ContainsRune("_-.:", r)))
	})
}
