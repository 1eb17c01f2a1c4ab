package main

import "go/token"

// mutant is one changed operator.
type mutant struct {
	id       int
	file     string
	line     int
	column   int
	reached  token.Position // what a test must run to reach it
	from, to string
	source   string   // its line
	weight   int      // how many mutants gremlins makes of it
	tests    []string // those that reach it, the quickest first
	fate     fate
}

type fate string

const (
	killed     fate = "killed"
	lived      fate = "lived"
	timedOut   fate = "timed out"
	notCovered fate = "not covered"
	skipped    fate = "skipped"
)

// The operators of gremlins' default set, and what they are changed to.
var (
	boundaries = map[token.Token]token.Token{
		token.GEQ: token.GTR, token.GTR: token.GEQ, token.LEQ: token.LSS, token.LSS: token.LEQ,
	}
	negations = map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.GEQ: token.LSS, token.LSS: token.GEQ, token.GTR: token.LEQ,
		token.LEQ: token.GTR,
	}
	arithmetic = map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	}
	steps = map[token.Token]token.Token{token.INC: token.DEC, token.DEC: token.INC}
)
