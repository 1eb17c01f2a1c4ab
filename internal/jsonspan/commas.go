package jsonspan

// WithoutLastCommas is a JSON text without the commas after the last elements and members
// of its values, which some models write.
func WithoutLastCommas(text string) string {
	data := []byte(text)
	kept := make([]byte, 0, len(data))
	for i, end := 0, 0; i < len(data); i = end {
		end = i + 1
		switch data[i] {
		case '"':
			end = skipString(data, i)
		case ',':
			if next := SkipSpace(data, end); next < len(data) && (data[next] == '}' || data[next] == ']') {
				continue
			}
		}
		kept = append(kept, data[i:end]...)
	}
	return string(kept)
}
