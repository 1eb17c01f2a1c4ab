package guard

import (
	"context"
	"slices"
	"sync"
)

// Part is a piece of a tool's result that is not text: an image, a recording, a
// document.
type Part struct {
	// MediaType says what it is, such as "image/png".
	MediaType string
	// Data are its bytes. Without them URI says where it lies.
	Data []byte
	URI  string
	// Name is that of a file, if it has one.
	Name string
}

const (
	// maxParts and maxPartBytes bound what a call may attach.
	maxParts     = 16
	maxPartBytes = 16 << 20
)

// Attach adds parts to the result of the call that runs in this context, for the
// model to see besides its text. They are not evidence, and the ledger does not keep
// them. It reports whether they were taken: a context without a call has no place
// for them, and a call has room for 16 parts of 16 MiB in all.
func Attach(ctx context.Context, parts ...Part) bool {
	if ctx == nil {
		return false
	}
	a, running := ctx.Value(attachmentsKey{}).(*attachments)
	return running && a.add(parts)
}

type attachmentsKey struct{}

// callContext is the context of a call, with room for what it attaches.
type callContext struct {
	context.Context
	beside attachments
}

// Value knows the attachments.
func (c *callContext) Value(key any) any {
	if _, asked := key.(attachmentsKey); asked {
		return &c.beside
	}
	return c.Context.Value(key)
}

// attachments are the parts of one call. The tool may outlive its call.
type attachments struct {
	mu    sync.Mutex
	parts []Part
	size  int
}

func (a *attachments) add(parts []Part) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	size := a.size
	for _, part := range parts {
		size += len(part.Data)
	}
	if len(a.parts)+len(parts) > maxParts || size > maxPartBytes {
		return false
	}
	a.parts, a.size = append(a.parts, parts...), size
	return true
}

// taken are the parts so far. What comes later has no message to stand in.
func (a *attachments) taken() []Part {
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.parts)
}
