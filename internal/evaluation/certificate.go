package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// certificate tells where fitted models come from, so that a test can say when they are
// older than what they were fitted to.
type certificate struct {
	part     string // "completion" or "intent"
	models   string // the hash of their files
	data     string // the hash of the labelled data of the repository
	recorded string // the hash of the recorded data, or "none"
	reads    string // what the models see of a sample of the data; see readHash
	figures  []string
}

// certified says which files the models of a part are in, and which data of the repository
// and of the recorded folder they are fitted to.
var certified = map[string]struct{ models, data, recorded []string }{
	"completion": {
		[]string{"completion/data/model.bin", "completion/data/wording.bin"},
		[]string{"internal/evaluation/labelled/*/*.jsonl"},
		[]string{"turns*.jsonl", "injection*.jsonl"},
	},
	"intent": {
		[]string{"intent/data/model.bin", "intent/data/wording.bin", "internal/vector/data/vectors.bin"},
		[]string{"internal/evaluation/labelled/*/*.jsonl", "internal/evaluation/requests/*.jsonl"},
		[]string{"intent_*.jsonl"},
	},
}

func certificatePath(root, part string) string {
	return filepath.Join(root, "internal", "evaluation", "fitted", part+".txt")
}

// certify notes where the models of a part come from that have just been written.
func (j job) certify(part string, reads []uint16, figures []string) error {
	files := certified[part]
	c := certificate{part: part, recorded: "none", reads: hexOf(reads), figures: figures}
	var err error
	if c.models, err = hashFiles(j.root, files.models); err != nil {
		return err
	}
	if c.data, err = hashFiles(j.root, files.data); err != nil {
		return err
	}
	if j.fitted() != "" {
		if c.recorded, err = hashFiles(j.recorded, files.recorded); err != nil {
			return err
		}
	}
	path := certificatePath(j.root, part)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { // #nosec G301 -- a folder of the repository
		return err
	}
	return os.WriteFile(path, []byte(c.String()), 0o644) // #nosec G306 -- a file of the repository
}

func (c *certificate) String() string {
	const form = "# Written by `go run ./internal/evaluation fit %s`; do not edit.\n" +
		"models %s\ndata %s\nrecorded %s\nreads %s\n\n%s\n"
	return fmt.Sprintf(form, c.part, c.models, c.data, c.recorded, c.reads, strings.Join(c.figures, "\n"))
}

// readCertificate reads what certify wrote, but for the figures.
func readCertificate(root, part string) (c certificate, err error) {
	text, err := os.ReadFile(certificatePath(root, part))
	c.part = part
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if to := map[string]*string{
			"models": &c.models, "data": &c.data, "recorded": &c.recorded, "reads": &c.reads,
		}[key]; to != nil && *to == "" {
			*to = value
		}
	}
	return c, err
}

// hashFiles is the hash of all files that patterns name below a folder.
func hashFiles(folder string, patterns []string) (string, error) {
	var paths []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(folder, filepath.FromSlash(pattern)))
		if err != nil {
			return "", err
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	hash := sha256.New()
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n", filepath.Base(path), len(file))
		hash.Write(file)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8]), nil
}

// hexOf writes hashes, four digits each.
func hexOf(hashes []uint16) string {
	var out strings.Builder
	for _, hash := range hashes {
		fmt.Fprintf(&out, "%04x", hash)
	}
	return out.String()
}

// drift is the share of the sample that is read otherwise than when models were fitted.
func drift(then, now string) float64 {
	if len(then) != len(now) || len(now) == 0 {
		return 1
	}
	changed := 0
	for i := 0; i+4 <= len(now); i += 4 {
		if then[i:i+4] != now[i:i+4] {
			changed++
		}
	}
	return 4 * float64(changed) / float64(len(now))
}
