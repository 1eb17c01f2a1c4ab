// Package enginebench compares package policy with two general engines, CEL and OPA, on one rule. It is
// a module of its own so that neither of them becomes a dependency of the library, and no part of the
// workspace because they take minutes to build:
//
//	cd examples/enginebench && GOWORK=off go test -bench .
package enginebench
