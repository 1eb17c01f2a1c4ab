package reading_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/internal/reading"
)

// TestForeignTexts: a language without a word list is told by what it is written in.
func TestForeignTexts(t *testing.T) {
	for _, text := range []string{
		"Die Rechnung ist bezahlt.", "Wurde storniert.", "De rekening is betaald.", "Fakturan är betald.", "Regningen er betalt.",
		"La facture est payée.", "Factura pagada.", "La fattura è pagata.", "Ci sono due fatture da pagare.", "Paguei a fatura.", "Zapłaciłem rachunek.",
		"Faktura je zaplacená.", "Lasku on maksettu.", "Kifizettem a számlát.", "Faturayı ödedim.", "Tagihan sudah dibayar.", "Đã thanh toán hóa đơn.",
		"Счёт оплачен.", "Рахунок сплачено.", "Ο λογαριασμός πληρώθηκε.", "تم دفع الفاتورة.", "החשבון שולם.", "बिल चुका दिया गया।",
		"ชำระบิลแล้ว", "账单已支付。", "請求書を支払いました。", "청구서를 결제했습니다.", "Guten Morgen!", "Die Rechnung \"Office rent for March and April\" ist bezahlt.",
	} {
		require.True(t, reading.English().Read(nil, text).Foreign(), text)
	}
	for _, text := range []string{
		"The invoice is paid.", "Paid.", "Done!", "Kubernetes is up.", "José was paid on Monday.", "Lot 120 went to paddle 361 for 950.", "Voilà, the bill is paid.",
		"Café Lumière is off the list.", "The reefer is plugged in.", "Laura Schilling", "You can say 支払いました for that, or 払いました among friends.", "My pleasure!", "12 kg.", "",
	} {
		require.False(t, reading.English().Read(nil, text).Foreign(), text)
	}
}

// TestSize: the same sentence says about as much in every script.
func TestSize(t *testing.T) {
	for _, text := range []string{
		"the bill was paid", "счёт был оплачен", "ο λογαριασμός εξοφλήθη", "دفعت الفاتورة", "החשבון כבר שולם", "बिल चुकाया गया", "ชำระบิลเรียบร้อย", "账单已付", "請求書を払った", "청구서 결제함",
	} {
		require.InDelta(t, 16, reading.Size(text), 5, text)
	}
	require.Zero(t, reading.Size(" …!?* "))
	require.Equal(t, 3, reading.Size("a_1 é."))
}

// TestSmallTalk is told by its length alone.
func TestSmallTalk(t *testing.T) {
	for _, text := range []string{
		"Gracias!", "De nada.", "Guten Morgen!", "どういたしまして", "好的", "谢谢", "Ja", "Спасибо", "Teşekkür ederim!", "Tack så mycket!", "شكرا", "תודה", "네", "",
	} {
		require.True(t, reading.SmallTalk(text), text)
	}
	for _, text := range []string{"Muchas gracias", "不客气", "Dziękuję bardzo", "สวัสดีตอนเช้า"} {
		require.True(t, reading.Short(text) && !reading.SmallTalk(text), text)
	}
	for _, text := range []string{
		"Rechnung bezahlen", "Zapłać ten rachunek", "支付账单", "請求書を払って", "Оплати мой счёт сегодня", "Ich habe die Rechnung bezahlt!", "a b c d",
	} {
		require.False(t, reading.Short(text), text)
	}
}

// TestQuestionsInAnyScript end in a mark of their own.
func TestQuestionsInAnyScript(t *testing.T) {
	for text, asks := range map[string]bool{
		"Which?": true, "どれですか？": true, "أيهما؟": true, "Ποιο;": true, "Ποιο\u037e ": true, "this; that;": false, "Paid.": false, "": false, ";": false,
	} {
		require.Equal(t, asks, reading.EndsAsking(text), text)
		require.Equal(t, asks, listen(text).Asks(), text)
		require.Equal(t, asks, reading.English().Read(nil, text).OnlyAsks(), text)
	}
	require.False(t, reading.English().Read(nil, "Υπάρχουν δύο. Ποιο;").OnlyAsks())
	require.Equal(t, "It is paid.", reading.English().Read(nil, "\n It is paid. ").Said())
	require.Empty(t, reading.English().Read(nil, " ").Said())
}
