package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
)

// Keeper keeps the first findings of each kind for the reports.
type Keeper struct {
	ghosts, each int
	list         []Finding
	kinds        map[string]int // how many there were
}

// NewKeeper keeps that many ghosts, and that many findings of each other kind.
func NewKeeper(ghosts, each int) Keeper {
	return Keeper{ghosts: ghosts, each: each, kinds: map[string]int{}}
}

// Kinds of findings, beside the reasons of insufficient turns.
const (
	kindGhost  = "ghost"
	kindUnsure = "unsure"
	kindAside  = "beside calls"
)

func (f *Finding) kind() string {
	switch {
	case f.Aside:
		return kindAside
	case f.Unsure:
		return kindUnsure
	case f.Ghost:
		return kindGhost
	}
	return f.Reason
}

// Add takes a finding.
func (k *Keeper) Add(f Finding) {
	most := k.each
	if f.kind() == kindGhost {
		most = k.ghosts
	}
	if k.kinds[f.kind()]++; k.kinds[f.kind()] <= most {
		k.list = append(k.list, f)
	}
}

// Stream writes one JSON object: the findings as they come, then the report. Nothing is kept in memory.
type Stream struct {
	out     *bufio.Writer // it remembers why writing broke off
	encoder *json.Encoder
	before  string // stands before the next finding
}

// NewStream begins the object.
func NewStream(out io.Writer) *Stream {
	s := &Stream{out: bufio.NewWriter(out), before: "{\"findings\":[\n"}
	s.encoder = json.NewEncoder(s.out)
	s.encoder.SetEscapeHTML(false)
	return s
}

// Finding writes a finding. Its error is why writing broke off.
func (s *Stream) Finding(f Finding) error {
	_, err := s.out.WriteString(s.before)
	s.before = ","
	return errors.Join(err, s.encoder.Encode(f))
}

// End writes the report and ends the object.
func (s *Stream) End(report *Report) error {
	if s.before != "," {
		_, _ = s.out.WriteString(s.before) // told by Flush
	}
	_, _ = s.out.WriteString("],\n\"report\":")
	err := s.encoder.Encode(report)
	_, _ = s.out.WriteString("}\n")
	return errors.Join(err, s.out.Flush())
}
