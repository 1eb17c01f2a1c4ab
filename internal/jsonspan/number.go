package jsonspan

import (
	"math/big"
	"strconv"
)

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

// plainDigits is how many digits a number may have in its canonical form before
// it is written with an exponent, and plainZeros how many zeros may follow its
// point.
const plainDigits, plainZeros = 40, 20

// AppendNumber appends the canonical form of a number that a [Scanner] has
// accepted. Numbers of equal value have the same form: whole ones of up to 40
// digits are plain, others have a point, and what would be mostly zeros has an
// exponent. Nothing is rounded.
func AppendNumber(dst, number []byte) []byte {
	if isPlainInteger(number) {
		return append(dst, number...)
	}
	var room [64]byte
	d := ParseDecimal(room[:0], number)
	if len(d.Digits) == 0 {
		return append(dst, '0')
	}
	if d.Beyond {
		return appendBeyond(dst, number, d)
	}
	if d.Negative {
		dst = append(dst, '-')
	}
	point := len(d.Digits) + d.Exponent // where it stands among the digits
	switch {
	case d.Exponent >= 0 && point <= plainDigits:
		dst = append(dst, d.Digits...)
		return appendZeros(dst, d.Exponent)
	case d.Exponent < 0 && point > 0:
		dst = append(dst, d.Digits[:point]...)
		return append(append(dst, '.'), d.Digits[point:]...)
	case d.Exponent < 0 && point >= -plainZeros:
		dst = appendZeros(append(dst, '0', '.'), -point)
		return append(dst, d.Digits...)
	}
	return strconv.AppendInt(appendMantissa(dst, d.Digits), int64(point-1), 10)
}

// isPlainInteger knows the common spelling: a whole number that is canonical as
// it stands.
func isPlainInteger(number []byte) bool {
	digits := number
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > plainDigits || digits[0] == '0' && len(number) > 1 {
		return false
	}
	for _, c := range digits {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}

// appendMantissa writes digits with a point after the first one, and the e.
func appendMantissa(dst, digits []byte) []byte {
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	return append(dst, 'e')
}

// longestExponent is how many digits of an exponent are counted. A longer one
// keeps the spelling of its number: no two spellings are taken for the same.
const longestExponent = 1000

// appendBeyond writes a number whose exponent does not fit a machine word.
func appendBeyond(dst, number []byte, d Decimal) []byte {
	mantissa, text := splitExponent(number)
	if len(text) > longestExponent {
		return append(dst, number...)
	}
	exponent, _ := new(big.Int).SetString(string(text), 10)
	if mantissa[0] == '-' {
		mantissa = mantissa[1:]
		dst = append(dst, '-')
	}
	whole := ParseDecimal(nil, mantissa) // without the exponent
	exponent.Add(exponent, big.NewInt(int64(len(whole.Digits)+whole.Exponent-1)))
	return exponent.Append(appendMantissa(dst, d.Digits), 10)
}
