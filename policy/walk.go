package policy

// The functions of this file walk JSON that the scanner has accepted; on
// anything else their result is meaningless, but they stay within bounds.

func skipSpace(data []byte, i int) int {
	for i < len(data) && data[i] <= ' ' {
		i++
	}
	return i
}

// skipValue returns the index behind the value that begins at i.
func skipValue(data []byte, i int) int {
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth < 0 {
				return i
			}
		case ',', ' ', '\t', '\n', '\r', ':':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			if depth == 0 { // a number or a literal goes on to the next delimiter
				i++
				continue
			}
		}
		i++
		if depth == 0 {
			return min(i, len(data))
		}
	}
	return len(data)
}

// eachMember calls visit with every key, without quotes and still escaped, and
// its value, until visit returns false.
func eachMember(object []byte, visit func(key, value []byte) bool) {
	i := skipSpace(object, 1)
	for i < len(object) && object[i] == '"' {
		end := skipValue(object, i)
		key := object[i+1 : end-1]
		i = skipSpace(object, skipSpace(object, end)+1) // behind the colon
		end = skipValue(object, i)
		if !visit(key, object[i:end]) {
			return
		}
		i = skipSpace(object, skipSpace(object, end)+1) // behind the comma
	}
}

// eachElement calls visit with every element of an array, until visit returns
// false.
func eachElement(array []byte, visit func(value []byte) bool) {
	i := skipSpace(array, 1)
	for i < len(array) && array[i] != ']' {
		end := skipValue(array, i)
		if end <= i || !visit(array[i:end]) {
			return
		}
		i = skipSpace(array, skipSpace(array, end)+1)
	}
}
