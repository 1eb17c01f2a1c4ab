// Package guard plays our labelled turns with models of many characters to package guard.
package guard
