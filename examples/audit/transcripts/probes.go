package transcripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-go/bonafide/examples/audit/transcripts/formats"
	"github.com/bonafide-go/bonafide/examples/audit/transcripts/logfile"
	"github.com/bonafide-go/bonafide/guard/confirm"
	"github.com/bonafide-go/bonafide/internal/jsonspan"
	"github.com/bonafide-go/bonafide/internal/lexicon"
	"github.com/bonafide-go/bonafide/internal/toolname"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// probed are the records of a turn with what was read of the world after it, when what was pending must have come.
// One probe that contradicts is enough. Looks of the log itself, and claims of the agent, only contradict.
func probed(records []*tooltrack.Record, probes []formats.Probe, claims []formats.Claim) []*tooltrack.Record {
	seen := slices.Clone(records)
	for i, record := range records {
		fate := record.Result.Status
		again := func(next *tooltrack.Record) bool { // its state is then not what this call left
			return next.Tool == record.Tool && next.Succeeded() && tooltrack.SameSubject(record, next)
		}
		if !record.Effect.MayChange() && record.Effect != tooltrack.Verifies ||
			fate != tooltrack.Succeeded && fate != tooltrack.Pending || slices.ContainsFunc(records[i+1:], again) {
			continue
		}
		over := *record
		over.Result.Status = tooltrack.Succeeded
		for j, probe := range slices.Concat(probes, laterReads(records, i)) {
			sight := sightOf(&over, &probe, j < len(probes))
			against := sight.Sight == tooltrack.Contradicted
			if !seen[i].Contradicted() && (against || j < len(probes) && sight.Sight == tooltrack.Confirmed) {
				seen[i] = record.With(sight)
			}
		}
		for _, claim := range claims {
			said := &tooltrack.Record{Call: tooltrack.Call{Tool: claim.Act, Args: claim.Values}}
			sight := sightOf(said, &formats.Probe{Tool: record.Tool, Output: record.Args}, false)
			if sight.Sight == tooltrack.Contradicted {
				seen[i] = record.With(sight)
			}
		}
	}
	return seen
}

// sightOf is what a probe shows of a change; nothing where it is about something else.
func sightOf(change *tooltrack.Record, probe *formats.Probe, lists bool) (sight tooltrack.Confirmation) {
	if expect := expected(change, probe, lists); expect != "" {
		if plan, err := confirm.New(&tooltrack.Confirm{Read: probe.Tool + "()", Expect: expect}); err == nil {
			sight = plan.Judge(change, probe.Result()) // else it has a name that the form cannot write
		}
	}
	return sight
}

// laterReads are looks of the log itself at what a change was called for, as long as nothing else was done to it.
// A text may be shown in part or in another form: of it only a look counts that is the same as before the change.
func laterReads(records []*tooltrack.Record, i int) (reads []formats.Probe) {
	args, isText := leaves(nil, "", records[i].Args), bytes.Contains(records[i].Args, []byte(`\n`))
	for _, read := range records[i+1:] {
		if read.Effect.MayChange() && read.Succeeded() && tooltrack.SameSubject(records[i], read) {
			break
		}
		before := func(r *tooltrack.Record) bool {
			return r.Tool == read.Tool && bytes.Equal(r.Args, read.Args) && bytes.Equal(r.Result.Data, read.Result.Data)
		}
		asked := leaves(nil, "", read.Args)
		strange := func(one leaf) bool { return !slices.Contains(args, one) }
		if read.Effect == tooltrack.Reads && read.Succeeded() && len(asked) > 0 && !slices.ContainsFunc(asked, strange) &&
			(!isText || slices.ContainsFunc(records[:i], before)) {
			reads = append(reads, formats.Probe{Tool: read.Tool, Args: read.Args, Output: read.Result.Data})
		}
	}
	return reads
}

// inWords are the acts of claims as sentences, to be judged as a text is: "note added."
func inWords(claims []formats.Claim) (said string) {
	for _, claim := range claims {
		said += toolname.InWords(claim.Act) + ".\n"
	}
	return said
}

// expected is what must hold of what a probe read after a change, in the form of [confirm]; nothing where it is
// about something else. Members are compared that are called as an argument, or as what the tool works on.
func expected(record *tooltrack.Record, probe *formats.Probe, lists bool) string {
	found, asked := probe.Result().Data, leaves(nil, "", probe.Args)
	if nothing := len(leaves(nil, "", found)) == 0; !knows(record, asked) ||
		nothing && !sharesWord(record.Tool, probe.Tool) || !nothing && len(asked) == 0 && !sharesValue(record, found) {
		return ""
	}
	conditions := []string{"exists"}
	compare := func(side string, given []leaf, only func(leaf) bool) {
		for _, has := range leaves(nil, "", found) {
			for _, one := range given {
				if one.path == has.path && only(one) && !isPart(one.text, has.text) {
					conditions = append(conditions, fmt.Sprintf("%s = $%s.%s", one.path, side, one.path))
				}
			}
		}
	}
	args := leaves(nil, "", record.Args)
	compare("args", args, func(one leaf) bool { return !one.listed })
	if lists {
		conditions = append(conditions, listed(record, args, found)...)
	}
	if len(conditions) == 1 { // what a check found: its figures
		compare("result", leaves(nil, "", record.Result.Data), func(one leaf) bool { return one.number })
	}
	return strings.Join(conditions, ", ")
}

// listed are the conditions on lists: they hold the elements of their argument, or a value of what a tool adds.
func listed(record *tooltrack.Record, args []leaf, found []byte) (conditions []string) {
	for key, value := range jsonspan.Members(found) {
		name := string(jsonspan.Key(key))
		if jsonspan.KindOf(value) != jsonspan.Array || !plainName.MatchString(name) {
			continue
		}
		var any []string
		for _, one := range args {
			switch quoted := string(jsonspan.AppendQuoted(nil, one.text)); {
			case one.listed && one.path == name:
				conditions = append(conditions, name+" contains "+quoted)
			case isAbout(record.Tool, name) && !strings.HasSuffix(strings.ToLower(one.path), "id"):
				any = append(any, quoted)
			}
		}
		if any != nil {
			conditions = append(conditions, name+" contains "+strings.Join(any, " | "))
		}
	}
	return conditions
}

// leaf is a plain value of an object, or an element of a list of them.
type leaf struct {
	path, text     string
	number, listed bool
}

// plainName is a name that the form of [confirm] can write.
var plainName = regexp.MustCompile(`^[\w-]+$`)

// leaves are the plain values of an object and of the objects in it.
func leaves(all []leaf, path string, value []byte) []leaf {
	const deepest = 3
	for key, inner := range jsonspan.Members(value) {
		name := string(jsonspan.Key(key))
		if !plainName.MatchString(name) || strings.Count(path, ".") >= deepest {
			continue
		}
		at := strings.TrimPrefix(path+"."+name, ".")
		all = leaves(all, at, inner)
		for element := range jsonspan.Elements(inner) {
			if text := jsonspan.Scalar(element); text != "" {
				all = append(all, leaf{path: at, text: text, listed: true})
			}
		}
		if text := jsonspan.Scalar(inner); text != "" {
			all = append(all, leaf{path: at, text: text, number: jsonspan.KindOf(inner) == jsonspan.Number})
		}
	}
	return all
}

// isPart reports whether one text may be the other in short, or in other letters.
func isPart(a, b string) bool {
	low, other := strings.ToLower(a), strings.ToLower(b)
	return a != b && (strings.Contains(low, other) || strings.Contains(other, low))
}

// knows reports whether a call or its result has all values that a probe was asked for.
func knows(record *tooltrack.Record, asked []leaf) bool {
	return !slices.ContainsFunc(asked, func(one leaf) bool {
		return !slices.ContainsFunc(valuesOf(record), func(has leaf) bool { return has.text == one.text })
	})
}

// sharesValue reports whether a call or its result has a value of what was found that hardly
// stands for two things: an id, an address, a path, or a word of the command that was run.
func sharesValue(record *tooltrack.Record, found []byte) bool {
	const short = 3
	return slices.ContainsFunc(leaves(nil, "", found), func(has leaf) bool {
		return !has.number && len(has.text) >= short && slices.ContainsFunc(valuesOf(record), func(one leaf) bool {
			if one.text == has.text {
				return strings.ContainsAny(has.text, "0123456789@/")
			}
			return one.path == "command" && slices.Contains(strings.Fields(one.text), has.text)
		})
	})
}

func valuesOf(record *tooltrack.Record) []leaf {
	return leaves(leaves(nil, "", record.Args), "", record.Result.Data)
}

// sharesWord reports whether the names of two tools have a word in common that is no verb.
func sharesWord(one, other string) bool {
	words := stems(other)
	read := toolname.Read(lexicon.English(), toolname.Tool{Name: one})
	return slices.ContainsFunc(stems(one), func(word string) bool {
		return word != lexicon.English().Stem(read.Verb.Text) && slices.Contains(words, word)
	})
}

// isAbout reports whether a member is called as what a tool does or works on, as invites_sent of send_invite.
func isAbout(tool, member string) bool {
	words := stems(tool)
	return !slices.ContainsFunc(stems(member), func(word string) bool { return !slices.Contains(words, word) })
}

func stems(name string) (stems []string) {
	for _, word := range toolname.Words(name) {
		stems = append(stems, lexicon.English().Stem(word))
	}
	return stems
}

// probes are what a file says was read after conversations, by the names of these.
type probes map[string][]formats.Probe

// loadProbes reads probes, one a line: {"conversation":…,"tool":…,"args":…,"output":…}. A
// conversation is named by its id or, where the log gives none, by its place: "log.jsonl:3".
func loadProbes(path string) (found probes, err error) {
	if path == "" {
		return nil, nil
	}
	reader, closer, err := logfile.Open(path, nil)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	var fault error
	found = probes{}
	err = logfile.Read(reader, func(piece logfile.Piece) bool {
		var line struct {
			Conversation string `json:"conversation"`
			formats.Probe
		}
		if fault = errors.Join(piece.Fault, json.Unmarshal(piece.Data, &line)); fault == nil &&
			(line.Conversation == "" || line.Tool == "") {
			fault = errors.New(`it should have a "conversation" (its id, or file:line) and a "tool"`)
		}
		if fault != nil {
			fault = fmt.Errorf("%s:%d: %w", path, piece.Line, fault)
		}
		found[line.Conversation] = append(found[line.Conversation], line.Probe)
		return fault == nil
	})
	return found, errors.Join(err, fault)
}
