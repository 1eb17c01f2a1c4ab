package chatwire

import (
	"strconv"

	"github.com/bonafide-go/bonafide/guard"
)

// An answer that is handed out as it came has its own usage, as all its bytes. One that
// was changed on its way counts what was really spent: all answers to the request. Then
// every number is a sum, also those that say what a part of the tokens was: cached
// tokens of one answer beside the tokens of two would be a wrong bill.

// count is where a number stands that an answer's usage counts.
type count struct {
	place
	path          string // "prompt_tokens_details.cached_tokens"
	value         int
	input, output bool // it counts all tokens that went in, came out
	apart         bool // these tokens went in, or out with output, and are not counted among the others
}

// usageOf is the sum of what is counted. A count that cannot be read is no reason to lose
// the answer.
func usageOf(counts []count) (usage guard.Usage) {
	for _, c := range counts {
		switch {
		case c.input && c.output:
		case c.output:
			usage.Output += c.value
		case c.input || c.apart:
			usage.Input += c.value
		}
	}
	return usage
}

// countsIn are the whole numbers of a usage, of which some are known, and those of its parts.
func countsIn(chunk int, usage span, known map[string]count) (counts []count) {
	var add func(prefix string, usage span)
	add = func(prefix string, usage span) {
		usage.eachMember(func(key string, value span) {
			c := known[prefix+key]
			number, err := strconv.Atoi(string(value.bytes()))
			if c.place, c.path, c.value = (place{chunk, value.from, value.to}), prefix+key, number; err == nil {
				counts = append(counts, c)
			}
			add(prefix+key+".", value)
		})
	}
	add("", usage)
	return counts
}

// countOthers takes note of what the answers that are not handed out used.
func (r *reading) countOthers(all []*exchange) {
	r.others = map[string]int{}
	for _, e := range all {
		if &e.read == r {
			continue
		}
		used := map[string]int{}
		for _, c := range e.read.counts { // a stream counts some of them twice, the later ones whole
			used[c.path] = max(used[c.path], c.value)
		}
		for path, value := range used {
			r.others[path] += value
		}
	}
}

// putCounts counts the answers that were not handed out into the one that is.
func (r *reading) putCounts(e *editor, all guard.Usage) {
	if all == (guard.Usage{}) || all == r.response.Usage {
		return
	}
	input, output := all.Input-r.response.Usage.Input, all.Output-r.response.Usage.Output
	both := input + output
	for _, c := range r.counts {
		switch {
		case c.apart && c.output:
			output -= r.others[c.path]
		case c.apart:
			input -= r.others[c.path]
		}
	}
	for _, c := range r.counts {
		more := r.others[c.path]
		switch {
		case c.apart:
		case c.input && c.output:
			more = both
		case c.input:
			more = input
		case c.output:
			more = output
		}
		e.put([]byte(strconv.Itoa(max(c.value+more, 0))), c.place)
	}
}
