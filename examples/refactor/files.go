package main

// shop is a module with a finding of each kind in it.
var shop = map[string]string{
	"go.mod": "module example.com/shop\n\ngo 1.25\n",
	"ARCHITECTURE.md": `# Architecture

- pricing adds up prices. There is one implementation of a sum, in total.go; other names for it call that one.
- orders and store name things by keys. Both write to the same cache, so their keys must not differ.
- report prints. Its functions stay below a complexity of 10.
`,
	"pricing/total.go": `// Package pricing adds up prices.
package pricing

// Item is a number of things at a price.
type Item struct{ Cents, Count int }

// Total returns the price of all items.
func Total(items []Item) int {
	sum := 0
	for _, item := range items {
		sum += item.Cents * item.Count
	}
	return sum
}
`,
	"pricing/sum.go": `package pricing

// Sum returns the price of all items.
func Sum(items []Item) int {
	sum := 0
	for _, item := range items {
		sum += item.Cents * item.Count
	}
	return sum
}
`,
	"pricing/pricing_test.go": `package pricing

import "testing"

func TestSums(t *testing.T) {
	items := []Item{{Cents: 250, Count: 2}, {Cents: 99, Count: 1}}
	if got := Total(items); got != 599 {
		t.Errorf("Total is %d, want 599", got)
	}
	if got := Sum(items); got != 599 {
		t.Errorf("Sum is %d, want 599", got)
	}
}
`,
	"orders/key.go": `// Package orders keeps orders.
package orders

import "fmt"

// Key names an order in the cache.
func Key(id int) string { return fmt.Sprintf("order-%d", id) }
`,
	"store/key.go": `// Package store keeps what is on the shelves.
package store

import "fmt"

// Key names an order in the cache.
func Key(id int) string { return fmt.Sprintf("order:%06d", id) }
`,
	"shop.go": `// Package shop puts the parts together.
package shop

import (
	"example.com/shop/orders"
	"example.com/shop/store"
)

// Keys are the names of an order, which should be one.
func Keys(id int) (string, string) { return orders.Key(id), store.Key(id) }
`,
	"report/render.go": `// Package report prints.
package report

// Label names a status.
func Label(status, days int, paid, shipped, express bool) string {
	if status == 0 {
		return "new"
	}
	if status == 1 && paid {
		if shipped {
			if express || days < 2 {
				return "almost there"
			}
			return "on its way"
		}
		if days > 14 {
			return "late"
		}
		return "packing"
	}
	for d := days; d > 30; d -= 30 {
		if d > 90 && !paid {
			return "written off"
		}
	}
	switch {
	case status == 2 && shipped, status == 3:
		return "delivered"
	case status == 4 || status == 5:
		return "returned"
	}
	return "unknown"
}
`,
}

var findings = struct{ duplicate, integration, complexity finding }{
	finding{"F1", duplicate, []string{"pricing/total.go", "pricing/sum.go"}, "Total and Sum look alike."},
	finding{"F2", integration, []string{"orders/key.go", "store/key.go"}, "two packages name the same order differently."},
	finding{"F3", complexity, []string{"report/render.go"}, "Label is hard to follow."},
}

// merged is one file in the place of two.
const merged = `// Package pricing adds up prices.
package pricing

// Item is a number of things at a price.
type Item struct{ Cents, Count int }

// Total returns the price of all items.
func Total(items []Item) int {
	sum := 0
	for _, item := range items {
		sum += item.Cents * item.Count
	}
	return sum
}

// Sum is another name for [Total].
func Sum(items []Item) int { return Total(items) }
`
