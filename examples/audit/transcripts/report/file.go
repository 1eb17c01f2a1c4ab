package report

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// File is written beside its place and moved there whole, so that an audit that
// is broken off leaves an older one alone.
type File struct {
	*bufio.Writer
	file *os.File
	path string
}

// CreateFile begins a file; nil for an empty path.
func CreateFile(path string) (*File, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".audit-*")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return &File{bufio.NewWriter(file), file, path}, nil
}

// Place moves the file to its place, or gives it up where there was an error. Nil is no file.
func (f *File) Place(err error) error {
	if f == nil {
		return err
	}
	if err = errors.Join(err, f.Flush(), f.file.Chmod(0o644), f.file.Close()); err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.file.Name()) // it may be gone already
	}
	return err
}
