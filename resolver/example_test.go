package resolver_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/bonafide-go/bonafide/resolver"
)

var tasks = []resolver.Entry{
	{ID: "7f3c0a52-5f6e-4b0e-9d3a-0c8f4f1f2a11", Title: "Read book", Details: []resolver.Detail{{Name: "Status", Value: "pending"}, {Name: "Priority", Value: "high"}}},
	{ID: "b0b1c9d4-1f0e-4e55-8d2e-6b3f1c2d3e4f", Title: "Return book to library"},
	{ID: "0d9c8b7a-6f5e-4d3c-8b1a-9f8e7d6c5b4a", Title: "Wash dishes"},
}

func ExampleResolve() {
	for _, reference := range []string{"read books", "Rad book", "the dishes, please", "wash hands"} {
		match, err := resolver.Resolve(reference, tasks, nil)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: %s, by %v\n", reference, match.Title, match.Tier)
	}
	// Output:
	// read books: Read book, by words
	// Rad book: Read book, by typing errors
	// the dishes, please: Wash dishes, by words
	// No task matching "wash hands" found. Close titles: Wash dishes
}

func ExampleIndex() {
	index := resolver.New(tasks, nil)
	_, err := index.Resolve("book")
	fmt.Println(err)

	index.Remove("b0b1c9d4-1f0e-4e55-8d2e-6b3f1c2d3e4f")
	match, _ := index.Resolve("book")
	fmt.Println(match.Title)

	index.Add(resolver.Entry{ID: "c1", Title: "Book list"})
	_, err = index.Resolve("book")
	fmt.Println(err)
	// Output:
	// Multiple tasks match "book". Please be more specific: Read book, Return book to library
	// Read book
	// Multiple tasks match "book". Please be more specific: Read book, Book list
}

func ExampleAmbiguousError() {
	_, err := resolver.Resolve("book", tasks, nil)
	var ambiguous *resolver.AmbiguousError
	if errors.As(err, &ambiguous) {
		for _, candidate := range ambiguous.Candidates {
			fmt.Println(candidate.Title)
		}
	}
	// Output:
	// Read book
	// Return book to library
}

func ExampleNotFoundError() {
	_, err := resolver.Resolve("wash hands", tasks, nil)
	var missing *resolver.NotFoundError
	if errors.As(err, &missing) {
		fmt.Println(len(missing.Suggestions), "close:", missing.Suggestions[0].Title)
	}
	// Output: 1 close: Wash dishes
}

func ExampleOptions() {
	strict := &resolver.Options{Noun: "invoice", Skip: []resolver.Tier{resolver.Typing, resolver.Cut}}
	_, err := resolver.Resolve("Rad book", tasks, strict)
	fmt.Println(err)
	// Output: No invoice matching "Rad book" found. Close titles: Read book, Return book to library
}

func ExampleListing() {
	fmt.Print(resolver.Listing(tasks))
	// Output:
	// 1. Read book (Status: pending, Priority: high)
	// 2. Return book to library
	// 3. Wash dishes
}

func ExampleOrdinal() {
	for _, reference := range []string{"#2", "the last one", "read book"} {
		match, err := resolver.Ordinal(reference, tasks, nil)
		if errors.Is(err, resolver.ErrNotOrdinal) {
			match, err = resolver.Resolve(reference, tasks, nil)
		}
		fmt.Println(match.Title, err)
	}
	// Output:
	// Return book to library <nil>
	// Wash dishes <nil>
	// Read book <nil>
}

func ExampleRedact() {
	fmt.Println(resolver.Redact("I deleted 7f3c0a52-5f6e-4b0e-9d3a-0c8f4f1f2a11.", tasks))
	fmt.Println(resolver.Redact("Wash dishes (id: 0d9c8b7a-6f5e-4d3c-8b1a-9f8e7d6c5b4a) is done.", tasks))
	// Output:
	// I deleted "Read book".
	// Wash dishes is done.
}

func ExampleDirectory() {
	source := resolver.SourceFunc(func(_ context.Context, owner string) ([]resolver.Entry, error) {
		if owner == "ann" {
			return tasks, nil
		}
		return nil, nil
	})
	directory := resolver.NewDirectory(source, nil)
	match, _ := directory.Resolve(context.Background(), "ann", "dishes")
	fmt.Println(match.Title)
	_, err := directory.Resolve(context.Background(), "bob", "dishes")
	fmt.Println(err)
	_, err = directory.Resolve(context.Background(), "", "dishes")
	fmt.Println(err)
	// Output:
	// Wash dishes
	// No task matching "dishes" found
	// the owner is empty; entries are looked up for one owner only
}
