// Package lines reads files that hold one value on each line.
package lines

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Each visits the lines of a file, which are only valid until the next; a file that is not
// there has none.
func Each(path string, visit func(line []byte) error) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 64<<20)
	for n := 1; scanner.Scan(); n++ {
		if err := visit(scanner.Bytes()); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	return scanner.Err()
}
