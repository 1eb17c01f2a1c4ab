package logfile

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxWindow bounds the memory for unpacking a file. The zstd program uses no more unless it is told to.
const maxWindow = 128 << 20

// Open opens a file and unpacks it if its content says so, whatever its name.
func Open(name string, stdin io.Reader) (*bufio.Reader, io.Closer, error) {
	file := io.NopCloser(stdin)
	if name != Stdin {
		opened, err := os.Open(name) // #nosec G304 -- the user names the file to read
		if err != nil {
			return nil, nil, err
		}
		file = opened
	}
	reader := bufio.NewReaderSize(file, 1<<18)
	unpacked, closer, err := unpack(reader)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", name, err), file.Close())
	}
	if unpacked == reader {
		return reader, file, nil
	}
	both := func() error { return errors.Join(closer.Close(), file.Close()) }
	return bufio.NewReaderSize(unpacked, 1<<18), closing(both), nil
}

// unpack tells the packing by the first bytes. A file that is no text is refused, with what could be done about it.
func unpack(reader *bufio.Reader) (io.Reader, io.Closer, error) {
	magic, _ := reader.Peek(16)
	switch head := string(magic); {
	case strings.HasPrefix(head, "\x1f\x8b"):
		unpacked, err := gzip.NewReader(reader)
		if err != nil {
			return nil, nil, fmt.Errorf("the gzip file is not whole: %w", err)
		}
		return unpacked, unpacked, nil
	case strings.HasPrefix(head, "\x28\xb5\x2f\xfd"), len(head) > 3 && head[1:4] == "\x2a\x4d\x18" && head[0]&0xf0 == 0x50:
		unpacked, err := zstd.NewReader(reader, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, fmt.Errorf("the zstd file is not whole: %w", err)
		}
		closer := unpacked.IOReadCloser()
		return closer, closer, nil
	}
	for sign, what := range binaries {
		if strings.HasPrefix(string(magic), sign) {
			return nil, nil, errors.New(what)
		}
	}
	return reader, io.NopCloser(nil), nil
}

// binaries are kinds of files that people have their logs in and that are not read, with the way out.
var binaries = map[string]string{
	"SQLite format 3\x00": "this is a database; export the sessions as JSON",
	"PAR1": "this is a Parquet file; write it as JSON Lines first (duckdb -c \"COPY (FROM 'x.parquet') " +
		"TO 'x.jsonl'\")",
	"PK\x03\x04":   "this is a zip archive; unpack it and name the folder",
	"\xfd7zXZ\x00": "this is packed with xz; unpack it (xz -dk), or pipe it: xz -dc FILE | audit transcripts -",
}

type closing func() error

func (c closing) Close() error { return c() }

// Source is a file to read. One that was only found in a folder need not be a log; one that was named must be.
type Source struct {
	// Name is its path, or [Stdin].
	Name string
	// Found is true for a file that was only found in a folder.
	Found bool
}

// Find are the files to read, named or in folders that were named, in order. Others in a folder are counted.
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
