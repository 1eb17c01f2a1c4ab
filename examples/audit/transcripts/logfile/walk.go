package logfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Source is a file to read. One that was only found in a folder may be something
// else than a log; one that was named must be read.
type Source struct {
	// Name is its path, or [Stdin].
	Name string
	// Found is true for a file that was only found in a folder.
	Found bool
}

// Find are the files to read: those that were named, and those in the folders
// that were named, in order. Other files in a folder are passed over and counted.
func Find(named []string) (files []Source, passed int, err error) {
	for _, name := range named {
		info, fault := os.Stat(name)
		if name == Stdin || fault != nil || !info.IsDir() { // what is not there is told when it is read
			files = append(files, Source{Name: name})
			continue
		}
		err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && path != name && strings.HasPrefix(entry.Name(), "."):
				return filepath.SkipDir
			case !entry.Type().IsRegular():
			case isLog(entry.Name()):
				files = append(files, Source{path, true})
			default:
				passed++
			}
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return files, passed, nil
}

// isLog tells by its name whether a file in a folder may be a log.
func isLog(name string) bool {
	name = strings.ToLower(name)
	for _, packing := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packing)
	}
	switch filepath.Ext(name) {
	case ".json", ".jsonl", ".ndjson":
		return true
	}
	return false
}
