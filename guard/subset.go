package guard

// mayLack reports whether a tool may be expected and not offered: the host offers a
// part of its tools in this request or mode, or the loop is another's. Elsewhere all
// tools are offered, and one that nobody described is expected by mistake.
func (t *Turn) mayLack(tool string) bool { return t.foreign || toolNamed(t.guard.tools, tool) != nil }

// offeredOnly are the demands that the offered tools can meet. Where they can meet
// none, nothing is due: the model says what it likes, but not that it was done.
func (t *Turn) offeredOnly(asked demands) demands {
	met := demands{}
	for i, expected := range asked.expected {
		if toolNamed(t.offered, expected.Tool) != nil {
			met.expected = append(met.expected, expected)
			met.sure, met.held = append(met.sure, asked.sure[i]), append(met.held, asked.held[i])
		}
	}
	if len(met.expected) == 0 {
		asked.threshold = never
	}
	asked.expected, asked.sure, asked.held = met.expected, met.sure, met.held
	return asked
}
