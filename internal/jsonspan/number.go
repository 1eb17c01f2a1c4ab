package jsonspan

import "strconv"

// Decimal is a JSON number taken apart exactly: ±Digits × 10^Exponent. Digits
// neither begin nor end with a zero; those of zero are empty.
type Decimal struct {
	Negative bool
	Digits   []byte
	Exponent int
	// Beyond is set when the exponent as written has more than 18 digits; then
	// Exponent is only the largest or smallest there is.
	Beyond bool
}

// endless stands for an exponent that nothing can reach.
const endless = 1 << 62

// ParseDecimal takes apart a number that a [Scanner] has accepted. The digits
// are appended to dst, which may be nil.
func ParseDecimal(dst, number []byte) Decimal {
	var d Decimal
	if len(number) > 0 && number[0] == '-' {
		d.Negative, number = true, number[1:]
	}
	mantissa, exponent := splitExponent(number)
	d.Exponent, d.Beyond = parseExponent(exponent)
	start, point := len(dst), -1
	for i, c := range mantissa {
		if c == '.' {
			point = i
		} else if len(dst) > start || c != '0' {
			dst = append(dst, c)
		}
	}
	if point >= 0 {
		d.Exponent -= len(mantissa) - point - 1
	}
	for len(dst) > start && dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
		d.Exponent++
	}
	if d.Digits = dst[start:]; len(d.Digits) == 0 {
		return Decimal{Digits: d.Digits} // zero has no sign and no exponent
	}
	return d
}

func splitExponent(number []byte) (mantissa, exponent []byte) {
	for i, c := range number {
		if c|0x20 == 'e' {
			return number[:i], number[i+1:]
		}
	}
	return number, nil
}

func parseExponent(text []byte) (exponent int, beyond bool) {
	negative := len(text) > 0 && text[0] == '-'
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	for len(text) > 0 && text[0] == '0' {
		text = text[1:]
	}
	if len(text) > 18 {
		exponent, beyond = endless, true
	} else {
		for _, c := range text {
			exponent = exponent*10 + int(c-'0')
		}
	}
	if negative {
		exponent = -exponent
	}
	return exponent, beyond
}

// plainDigits is how many digits a number may have in its canonical form before it is written with
// an exponent, and plainZeros how many zeros may follow its point.
const plainDigits, plainZeros = 40, 20

// zeros are as many as are ever written.
const zeros = "0000000000000000000000000000000000000000"

// AppendNumber appends the canonical form of a number that a [Scanner] has accepted. Numbers of
// equal value have the same form: whole ones of up to 40 digits are plain, others have a point, and
// what would be mostly zeros has an exponent. Nothing is rounded. One whose exponent has more than
// 18 digits keeps its spelling: no decoder reads it, and no two spellings are taken for the same.
func AppendNumber(dst, number []byte) []byte {
	var room [64]byte
	d := ParseDecimal(room[:0], number)
	if d.Beyond {
		return append(dst, number...)
	}
	if d.Negative {
		dst = append(dst, '-')
	}
	point := len(d.Digits) + d.Exponent // where it stands among the digits
	switch {
	case len(d.Digits) == 0:
		return append(dst, '0')
	case d.Exponent >= 0 && point <= plainDigits:
		dst = append(dst, d.Digits...)
		return append(dst, zeros[:d.Exponent]...)
	case d.Exponent < 0 && point > 0:
		dst = append(dst, d.Digits[:point]...)
		return append(append(dst, '.'), d.Digits[point:]...)
	case d.Exponent < 0 && point >= -plainZeros:
		dst = append(append(dst, '0', '.'), zeros[:-point]...)
		return append(dst, d.Digits...)
	}
	dst = append(dst, d.Digits[0])
	if len(d.Digits) > 1 {
		dst = append(append(dst, '.'), d.Digits[1:]...)
	}
	return strconv.AppendInt(append(dst, 'e'), int64(point-1), 10)
}
