// Package contain keeps a panic of the library's own code from reaching the host.
//
// Whatever reads the words of users, models and tools runs as a named stage. Where a
// stage panics, its caller gets a [Panic] instead, and decides what failing closed
// means there: a text is withheld, a call is denied, a record stays of unknown fate.
// Goroutines are started by [Go] only, since a panic in any other one ends the process.
package contain

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// Panic is what a stage panicked with.
type Panic struct {
	// Stage names the code that panicked.
	Stage string
	// Value is what it panicked with, and Stack where.
	Value any
	Stack []byte
}

// Error says which stage panicked, and with what.
func (p *Panic) Error() string { return fmt.Sprintf("%s panicked: %v", p.Stage, p.Value) }

// Unwrap is the error that it panicked with, if it was one.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Do runs a stage.
func Do(stage string, run func()) (fault *Panic) {
	defer func() { fault = Recovered(stage, recover()) }()
	Enter(stage)
	run()
	return nil
}

// Enter and Recovered are Do for a stage on whose stack thousands of turns wait: it enters
// first, and defers a function that hands on what recover returned. The fault is nil
// where nothing was recovered.
func Enter(stage string) {
	if plant := planted.Load(); plant != nil {
		(*plant)(stage)
	}
}

// Recovered is the panic of a stage; see [Enter].
func Recovered(stage string, value any) *Panic {
	if value == nil {
		return nil
	}
	if fault, inner := value.(*Panic); inner { // of a goroutine that the stage waited for
		return fault
	}
	return &Panic{stage, value, debug.Stack()}
}

// Go runs a stage in a goroutine of its own, which ends with ended, whatever became of the stage: a
// nil fault says that it did not panic. Where there is nothing to do at its end, ended is nil.
func Go(stage string, run func(), ended func(fault *Panic)) {
	go func() {
		var fault *Panic
		defer func() { // also where the stage ends its goroutine
			if ended != nil {
				ended(fault)
			}
		}()
		fault = Do(stage, run)
	}()
}

var planted atomic.Pointer[func(stage string)]

// Plant lets a test panic at the beginning of a stage. It returns how to remove it.
func Plant(plant func(stage string)) (remove func()) {
	planted.Store(&plant)
	return func() { planted.Store(nil) }
}
