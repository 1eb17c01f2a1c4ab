package report

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
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

// Discard gives the file up; nil is none.
func (f *File) Discard() {
	if f != nil {
		_ = errors.Join(f.file.Close(), os.Remove(f.file.Name())) // nothing was asked for yet
	}
}

// Place moves the file to its place, unless there was an error.
func (f *File) Place(mode fs.FileMode, err error) error {
	err = errors.Join(err, f.Flush(), f.file.Chmod(mode), f.file.Close())
	if err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.file.Name()))
	}
	return nil
}
