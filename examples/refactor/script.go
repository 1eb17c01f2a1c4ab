package main

import (
	"context"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

// scripts are the parts of the simulated model, by name and attempt.
type scripts map[string][]simmodel.Answer

// behave plays the part that is asked for.
func (s scripts) behave(ctx context.Context, request simmodel.Request) simmodel.Answer {
	for _, part := range request.Faults {
		if script, known := s[part]; known {
			return simmodel.Script(script...)(ctx, request)
		}
	}
	return simmodel.Say("I do not know how to go on.")
}

func readFile(path string) simmodel.Answer { return simmodel.CallWith("read_file", pathArgs{path}) }

func compareFiles(a, b string) simmodel.Answer {
	return simmodel.CallWith("compare_file_implementations", map[string]any{"paths": []string{a, b}})
}

func report(title string) simmodel.Answer {
	return simmodel.CallWith("create_issue_report",
		map[string]string{"title": title, "severity": "medium", "body": "See the analysis."})
}

func review(question string) simmodel.Answer {
	return simmodel.CallWith("request_developer_review", map[string]string{"question": question})
}

func merge(target, source, content string) simmodel.Answer {
	return simmodel.CallWith("merge_file_implementations", mergeArgs{target, source, content})
}

// played are the parts of the run: a lazy model that has to be driven through
// the analysis, and a diligent one that does it by itself.
var played = scripts{
	"lazy/1": {
		compareFiles("pricing/total.go", "pricing/sum.go"),
		report("Total and Sum are duplicates"),
		simmodel.Say("I can't create the report yet, because the target files must be read first."),
	},
	"lazy/2": {
		readFile("pricing/total.go"),
		readFile("pricing/sum.go"),
		compareFiles("pricing/total.go", "pricing/sum.go"),
		report("Total and Sum are duplicates"),
		simmodel.Say("I can't create the report yet, because ARCHITECTURE.md must be read first."),
	},
	"lazy/3": {
		readFile("ARCHITECTURE.md"),
		simmodel.Say("ARCHITECTURE.md asks for one implementation of a sum, in total.go."),
	},
	"lazy/4": {
		readFile("pricing/sum.go"),
		merge("pricing/total.go", "pricing/sum.go", merged),
		simmodel.Say("I merged pricing/sum.go into pricing/total.go. Sum calls Total now."),
	},
	"integration/1": {
		readFile("orders/key.go"),
		readFile("store/key.go"),
		readFile("ARCHITECTURE.md"),
		simmodel.CallWith("analyze_import_impact", pathArgs{"orders/key.go"}),
		simmodel.CallWith("analyze_import_impact", pathArgs{"store/key.go"}),
		review("Which format of keys stays: order-1 or order:000001?"),
		simmodel.Say("I requested a review by a developer, since only a person can say which format of keys stays."),
	},
	"complexity/1": {
		readFile("report/render.go"),
		readFile("ARCHITECTURE.md"),
		simmodel.CallWith("analyze_complexity", pathArgs{"report/render.go"}),
		report("Label is too complex"),
		simmodel.Say("I created an issue report about Label."),
	},
}
