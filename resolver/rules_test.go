package resolver

import "testing"

// TestReferencesToOddTitles holds cases for hostile and odd titles, grouped by
// the rule that they belong to.
func TestReferencesToOddTitles(t *testing.T) {
	cases := []struct {
		name      string
		titles    []string
		reference string
		want      string
	}{
		// Invisible characters do not distinguish titles, except identical ones.
		{"zero width space in the title", []string{"Pay\u200b invoice", "Call dentist"}, "Pay invoice", "Pay\u200b invoice"},
		{"zero width space in the reference", []string{"Pay invoice", "Call dentist"}, "P\u200bay inv\u200boice", "Pay invoice"},
		{"isolates", []string{"Pay \u2066invoice\u2069", "Call dentist"}, "Pay invoice", "Pay \u2066invoice\u2069"},
		{"soft hyphen", []string{"Pay in\u00advoice", "Call dentist"}, "pay invoice", "Pay in\u00advoice"},
		{"tags", []string{"Pay invoice\U000e0041\U000e0042", "Call dentist"}, "pay invoice", "Pay invoice\U000e0041\U000e0042"},
		{"variation selector", []string{"\u2764\ufe0f Love letter", "Call dentist"}, "\u2764 love letter", "\u2764\ufe0f Love letter"},
		{"byte order mark", []string{"\ufeffPay invoice", "Call dentist"}, "pay invoice", "\ufeffPay invoice"},
		{"Hangul filler", []string{"Pay invoice\u3164", "Call dentist"}, "pay invoice", "Pay invoice\u3164"},
		{"combining grapheme joiner", []string{"Pay\u034f invoice", "Call dentist"}, "pay invoice", "Pay\u034f invoice"},
		{"control characters", []string{"Pay \x07invoice", "Call dentist"}, "pay invoice", "Pay \x07invoice"},
		{"invisible twins are ambiguous", []string{"Pay invoice", "Pay\u200b invoice"}, "pay invoice", "ambiguous: [Pay invoice] [Pay\u200b invoice]"},
		{"an invisible twin is found exactly", []string{"Pay invoice", "Pay\u200b invoice"}, "Pay\u200b invoice", "Pay\u200b invoice"},
		{"the visible twin is found exactly", []string{"Pay invoice", "Pay\u200b invoice"}, "Pay invoice", "Pay invoice"},
		{"joined emoji", []string{"👨\u200d👩\u200d👧 Family dinner", "Call dentist"}, "👨👩👧 family dinner", "👨\u200d👩\u200d👧 Family dinner"},

		// Tiers: identical, then folded, then accents dropped.
		{"identical beats folded", []string{"buy milk", "Buy Milk"}, "Buy Milk", "Buy Milk"},
		{"folded twins", []string{"buy milk", "Buy Milk"}, "BUY MILK", "ambiguous: [buy milk] [Buy Milk]"},
		{"folded beats accents dropped", []string{"Résumé", "Resume"}, "resume", "Resume"},
		{"accents count if they are given", []string{"Résumé", "Resume"}, "RÉSUMÉ", "Résumé"},
		{"accents dropped twins", []string{"Résumé", "Resumé"}, "resume", "ambiguous: [Résumé] [Resumé]"},
		{"accents dropped", []string{"Crème brûlée", "Call dentist"}, "creme brulee", "Crème brûlée"},
		{"composed and decomposed", []string{"Cafe\u0301 visit", "Call dentist"}, "CAF\u00c9 visit", "Cafe\u0301 visit"},
		{"Turkish dotted capital", []string{"İstanbul trip", "Call dentist"}, "istanbul trip", "İstanbul trip"},
		{"Turkish dotless", []string{"Kapıyı kapat", "Call dentist"}, "KAPIYI KAPAT", "Kapıyı kapat"},
		{"sharp s", []string{"Straße fegen", "Call dentist"}, "STRASSE FEGEN", "Straße fegen"},
		{"capital sharp s", []string{"STRAẞE FEGEN", "Call dentist"}, "straße fegen", "STRAẞE FEGEN"},
		{"final sigma", []string{"ΟΔΟΣ", "Call dentist"}, "οδός", "ΟΔΟΣ"},
		{"Greek accents", []string{"Αθήνα", "Call dentist"}, "αθηνα", "Αθήνα"},
		{"Cyrillic marks", []string{"Купить ёлку", "Call dentist"}, "купить елку", "Купить ёлку"},
		{"ligature", []string{"O\ufb03ce \ufb01le", "Call dentist"}, "office file", "O\ufb03ce \ufb01le"},
		{"full width", []string{"Ｐａｙ　ｒｅｎｔ", "Call dentist"}, "pay rent", "Ｐａｙ　ｒｅｎｔ"},
		{"half width Katakana", []string{"ﾃｽﾄ", "Call dentist"}, "テスト", "ﾃｽﾄ"},
		{"circled digit", []string{"Part ①", "Part ②"}, "part 1", "Part ①"},
		{"superscript", []string{"m² of tiles", "Call dentist"}, "m2 of tiles", "m² of tiles"},
		{"no-break and ideographic space", []string{"Pay\u00a0the\u3000rent", "Call dentist"}, "pay the rent", "Pay\u00a0the\u3000rent"},
		{"tabs and line ends", []string{"Pay rent", "Call dentist"}, "  pay\t\r\nrent ", "Pay rent"},
		{"curly quotes", []string{"Mom’s “big” day", "Call dentist"}, `mom's "big" day`, "Mom’s “big” day"},
		{"acute accent as apostrophe", []string{"Mom's day", "Call dentist"}, "mom´s day", "Mom's day"},
		{"dashes", []string{"Plan – draft", "Call dentist"}, "plan - draft", "Plan – draft"},
		{"minus sign", []string{"Set to −5", "Call dentist"}, "set to -5", "Set to −5"},
		{"ellipsis", []string{"Wait…", "Call dentist"}, "wait...", "Wait…"},
		{"other marks stay: dakuten", []string{"がっこう", "かっこう"}, "がっこう", "がっこう"},
		{"other marks stay: Devanagari", []string{"किताब पढ़ो", "कताब पढो"}, "किताब पढ़ो", "किताब पढ़ो"},
		{"other marks stay: dakuten is no typing error", []string{"がっこうへいく", "Call dentist"}, "かっこうへいく", "none"},
		{"other marks stay: Arabic vowel marks are none", []string{"كِتاب جديد", "Call dentist"}, "كتاب جديد", "none"},
		{"Kana, mistyped", []string{"ショッピングモール", "Call dentist"}, "ショピングモール", "ショッピングモール"},
		{"other marks stay: Hebrew points", []string{"שָׁלוֹם", "Call dentist"}, "שלום", "none"},
		{"scripts are not folded together: Cyrillic a", []string{"Pаy invoice", "Call dentist"}, "Pay invoice", "none"},
		{"scripts are not folded together: one of each", []string{"Pay rent now", "Рay rent now"}, "pay rent now", "Pay rent now"},
		{"scripts are not folded together: Greek", []string{"Αpple pie", "Call dentist"}, "apple pie", "none"},
		{"scripts are not folded together: Kana", []string{"テスト", "Call dentist"}, "てすと", "none"},
		{"signs tell titles apart", []string{"C++ homework", "C# homework"}, "c# homework", "C# homework"},
		{"signs tell titles apart in words", []string{"C++ homework", "C# homework"}, "homework c++", "C++ homework"},
		{"emoji tell titles apart", []string{"🔥 Fix bug", "✨ Fix bug"}, "✨ fix bug", "✨ Fix bug"},
		{"emoji left out", []string{"🔥 Fix bug", "Call dentist"}, "fix bug", "🔥 Fix bug"},
		{"emoji alone", []string{"🔥 Fix bug", "Call dentist"}, "🔥", "🔥 Fix bug"},
		{"flags", []string{"🇩🇪 Trip", "🇪🇸 Trip"}, "🇩🇪", "🇩🇪 Trip"},
		{"part of a run without spaces", []string{"ドッグフードを買う", "牛乳"}, "フード", "ドッグフードを買う"},
		{"part of a mixed run", []string{"去Starbucks买咖啡", "买牛奶"}, "去Starb", "去Starbucks买咖啡"},
		{"Chinese", []string{"买牛奶", "买面包"}, "牛奶", "买牛奶"},
		{"Chinese, another thing", []string{"给妈妈打电话", "买面包"}, "给爸爸打电话", "none"},
		{"Thai", []string{"ซื้อนม", "โทรหาแม่"}, "นม", "ซื้อนม"},
		{"Korean", []string{"우유 사기", "전화하기"}, "우유", "우유 사기"},
		{"Korean, decomposed", []string{"우유 사기", "전화하기"}, "\u110b\u116e\u110b\u1172 \u1109\u1161\u1100\u1175", "우유 사기"},
		{"Arabic", []string{"شراء الحليب", "اتصل بأمي"}, "الحليب", "شراء الحليب"},
		{"Cyrillic, mistyped", []string{"Купить молоко", "Позвонить маме"}, "купить молокр", "Купить молоко"},
		{"Turkish, upper case", []string{"Dişçiye gitmeyi", "Süt almak"}, "DİŞÇİYE GİTMEYİ", "Dişçiye gitmeyi"},

		// More than one title in the deciding tier is ambiguous.
		{"equal titles", []string{"Buy milk", "Buy milk"}, "Buy milk", "ambiguous: [Buy milk] [Buy milk]"},
		{"one error away from two", []string{"Pay invoice A1", "Pay invoices A1"}, "pay invoce A1", "ambiguous: [Pay invoice A1] [Pay invoices A1]"},
		{"one error away from both", []string{"Send report to Jane", "Send report to Jade"}, "send report to jae", "ambiguous: [Send report to Jane] [Send report to Jade]"},
		{"errors differ, words do not", []string{"Send report to Jane", "Send report to Janett"}, "send report to janet", "ambiguous: [Send report to Jane] [Send report to Janett]"},

		// Short titles are never guessed, and errors are few.
		{"two letters", []string{"Go"}, "No", "none"},
		{"three letters", []string{"Gym"}, "Gim", "none"},
		{"four letters", []string{"Film"}, "Flim", "none"},
		{"five letters", []string{"Dance"}, "Danse", "Dance"},
		{"two errors in eight letters", []string{"Buy milk"}, "By mlk", "none"},
		{"one error in eight letters", []string{"Buy milk"}, "Buy mlk", "Buy milk"},
		{"two errors in twelve letters", []string{"Call dentist"}, "Cal dentst", "Call dentist"},
		{"three words with an error each", []string{"Schedule dentist appointment"}, "schedle dentst apointment", "Schedule dentist appointment"},
		{"four errors in twelve letters", []string{"Call dentist"}, "Kal dnttst", "none"},
		{"another number, same length", []string{"Call 555-0101"}, "call 555-0102", "none"},
		{"a number too many", []string{"Buy milk today"}, "buy milk todya 2", "none"},
		{"a number too few", []string{"Buy 2 milk today"}, "buy milk todya", "none"},
		{"Arabic digits are other numbers", []string{"Room ٣ cleaning"}, "room 3 cleaning", "none"},
		{"swapped digits", []string{"Invoice 1234 payment"}, "invoice 1243 payment", "none"},

		// A reference without a letter, digit or symbol matches nothing, and
		// wildcards are literal.
		{"empty", []string{"Buy milk"}, "", "none"},
		{"spaces", []string{"Buy milk"}, "   ", "none"},
		{"invisible only", []string{"Buy milk"}, "\u200b\u200d", "none"},
		{"punctuation", []string{"Buy milk", "..."}, "?!", "none"},
		{"punctuation, folded", []string{"…"}, "...", "none"},
		{"punctuation, identical", []string{"..."}, "...", "none"},
		{"a star, identical", []string{"*"}, "*", "none"},
		{"a star within a title", []string{"Rate 5 * hotel"}, "*", "none"},
		{"a mark alone", []string{"\u0301"}, "\u0301", "none"},
		{"quotes", []string{"Buy milk"}, `""`, "none"},
		{"star", []string{"Buy milk"}, "*", "none"},
		{"percent", []string{"Buy milk"}, "%", "none"},
		{"underscores", []string{"Buy milk"}, "___", "none"},
		{"star after a word", []string{"Buy milk", "Call dentist"}, "buy *", "none"},
		{"percent after a word", []string{"Buy milk", "Call dentist"}, "buy%", "none"},
		{"star within a word", []string{"Buy milk", "Call dentist"}, "b*y milk", "none"},
		{"regular expression", []string{"Buy milk", "Call dentist"}, "^Buy.*$", "none"},
		{"question mark behind the title", []string{"Buy milk", "Call dentist"}, "buy milk?", "Buy milk"},
		{"a literal star", []string{"Rate 5 * hotel", "Rate 5 hotel"}, "rate 5 * hotel", "Rate 5 * hotel"},
		{"injection", []string{"Buy milk", "Call dentist", "Pay rent"}, "' OR '1'='1", "none"},
		{"more injection", []string{"Buy milk", "Call dentist"}, "Buy milk'; DROP TABLE tasks; --", "none"},
		{"a symbol", []string{"€", "Buy milk"}, "€", "€"},
		{"an ASCII symbol", []string{"+", "Buy milk"}, "+", "+"},

		// The order of code points counts, not the displayed one.
		{"right-to-left override", []string{"\u202eklim yuB\u202c", "Call dentist"}, "Buy milk", "none"},
		{"reversed letters", []string{"Buy milk"}, "klim yuB", "none"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			entries := entriesOf(c.titles...)
			if got := outcome(Resolve(c.reference, entries, nil)); got != c.want {
				t.Errorf("Resolve(%+q) = %s, want %s", c.reference, got, c.want)
			}
			// Enough others that marks rule most out; none of them resembles a case.
			for _, other := range corpusOfOthers {
				entries = append(entries, Entry{ID: other, Title: other})
			}
			if got := outcome(New(entries, nil).Resolve(c.reference)); got != c.want {
				t.Errorf("Index.Resolve(%+q) = %s, want %s", c.reference, got, c.want)
			}
		})
	}
}

// corpusOfOthers are titles of letters that no case uses together.
var corpusOfOthers = func() (titles []string) {
	for i := range 128 {
		titles = append(titles, "qq"+string(rune('a'+i/26))+string(rune('a'+i%26))+"qq zz"+string(rune('a'+i%26))+"zzqx")
	}
	return titles
}()
