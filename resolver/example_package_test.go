package resolver_test

import (
	"errors"
	"fmt"

	"github.com/bonafide-go/bonafide/resolver"
)

// People name things in their own words. One is found, or the caller can ask.
func Example() {
	index := resolver.New([]resolver.Entry{{ID: "1", Title: "Read book"}, {ID: "2", Title: "Return book to library"}}, nil)
	for _, reference := range []string{"read books", "book", "paint the fence"} {
		match, err := index.Resolve(reference)
		var ambiguous *resolver.AmbiguousError
		switch {
		case errors.As(err, &ambiguous):
			fmt.Println("ask:", err)
		case err != nil:
			fmt.Println("say:", err)
		default:
			fmt.Println("delete", match.ID)
		}
	}
	// Output:
	// delete 1
	// ask: Multiple tasks match "book". Please be more specific: Read book, Return book to library
	// say: No task matching "paint the fence" found
}
