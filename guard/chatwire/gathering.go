package chatwire

import (
	"errors"
	"io"
	"strings"
)

// maxStream bounds the memory that one streamed answer may take.
const maxStream = 16 << 20

// gathering is what the assemblers of all formats have in common: the text so
// far, bounds, and an error that stays. A stream that broke stays broken.
type gathering struct {
	text   strings.Builder
	chunks int
	size   int
	err    error
}

// add reads the data of the next event and returns the text that it adds.
func (g *gathering) add(data []byte, read func(event span) error) (text string, err error) {
	if g.err != nil {
		return "", g.err
	}
	if g.size += len(data); g.size > maxStream {
		g.err = badBody(errors.New("the stream is longer than 16 MiB"))
		return "", g.err
	}
	before := g.text.Len()
	event, err := whole(data)
	if err == nil {
		err = read(event)
	}
	if err != nil {
		if _, known := err.(*BodyError); !known {
			err = badBody(err)
		}
		g.err = err
		return "", err
	}
	g.chunks++
	return g.text.String()[before:], nil
}

// readStream reads all events of a stream into the assembler that this is part
// of.
func (g *gathering) readStream(assembler streaming, reader io.Reader, say func(text string) bool) error {
	err := readStream(assembler, Events(reader), say)
	if g.err == nil {
		g.err = err
	}
	return err
}
