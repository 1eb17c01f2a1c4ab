package main

import (
	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
)

const (
	moon   = "http://almanac.internal/moon"
	shape  = "http://harbour.internal/shape"
	ranges = "http://survey.internal/ranges"

	question = "Research why the range of the tide differs from place to place and from week to week."
)

// whole is a synthesis that addresses the whole plan.
var whole = simmodel.Say("1. From week to week the range follows the moon.\n2. A bay has a larger range than the open coast.\n" +
	"3. The measured ranges go from a few decimetres to more than ten metres.\nGap: no page gives a range for a single harbour.")

func plan3() simmodel.Answer {
	return simmodel.CallWith(toolPlan, map[string]any{"sub_questions": []string{
		"What changes the range of the tide from week to week?",
		"What makes the range differ between a bay and the open coast?",
		"Which ranges have been measured?",
	}})
}

func search(query string) simmodel.Answer {
	return simmodel.CallWith("web_search", map[string]any{"query": query})
}

func open(url string) simmodel.Answer {
	return simmodel.CallWith(toolAccess, map[string]any{"url": url})
}

func write(namespace, content string) simmodel.Answer {
	return simmodel.CallWith("memory_write", map[string]any{"namespace": namespace, "content": content})
}
