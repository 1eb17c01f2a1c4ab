// Package tooltracktest answers one question: is this a [tooltrack.Store] that can be believed?
//
// Whoever writes a Store runs it through the suite from a test of their own:
//
//	func TestConformance(t *testing.T) {
//		tooltracktest.TestStore(t, func(t testing.TB) tooltrack.Store {
//			return mystore.New(…)
//		})
//	}
//
// [TestStore] runs named cases for each promise of the contract, concurrent ones among them.
// [TestAtMostOnce] plays every order of a few calls, their fates and crashes, by two processes, and
// asks whether anything ran that must not. [TestModel] runs random sequences of operations against
// the store and against a model so simple that it is obviously right, and compares every answer.
// [TestIsolation] looks for anything of one owner that another can see. Stores in other processes
// or databases pass the same suite as the one in memory.
package tooltracktest
