package guard

import (
	"embed"
	"encoding/json"
	"strings"
)

//go:embed texts/*.json
var textFiles embed.FS

// TextsIn are the texts of the guard in a language, by its tag: English ("en"), German
// ("de"), Spanish ("es"), French ("fr"), Portuguese ("pt"), Japanese ("ja") and Chinese
// ("zh"), with or without a region ("de-AT"). For all others it is nil. What they say of calls
// has the words of the tools' names; a host that wants more sets Calls, or a wording for each
// tool.
func TextsIn(language string) *Texts {
	base := strings.ToLower(language)
	if len(base) > 2 && strings.ContainsRune("-_", rune(base[2])) {
		base = base[:2]
	}
	data, err := textFiles.ReadFile("texts/" + base + ".json")
	if err != nil {
		return nil
	}
	texts := new(Texts)
	if json.Unmarshal(data, texts) != nil {
		return nil // the tests read all of them
	}
	return texts
}
