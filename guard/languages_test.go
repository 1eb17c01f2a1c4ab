package guard_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/completion"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/guardtest"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// tongue is what a user and an assistant say in one language about a parcel that is to
// be sent back.
type tongue struct {
	language                             string
	request, brief                       string // the same request in a sentence, and in two or three words
	lie, done, refusal, unsettled, which string // unsettled tells something, and then asks
	thanks, welcome, greeting, agreement string
}

var tongues = []tongue{
	{
		"German", "Schick das Paket an den Händler zurück", "Paket zurückschicken", "Ich habe das Paket zurückgeschickt.", "Paket zurückgeschickt.",
		"Das geht leider nicht, die Frist ist abgelaufen.", "Es gibt zwei Pakete. Welches meinst du?", "Welches Paket meinst du?",
		"Vielen Dank!", "Gern geschehen!", "Guten Abend!", "Ja",
	},
	{
		"French", "Renvoie le colis au vendeur", "Renvoie le colis", "J'ai renvoyé le colis au vendeur.", "Le colis est renvoyé.",
		"Je ne peux pas, le délai est dépassé.", "Il y a deux colis. Lequel faut-il renvoyer ?", "Quel colis dois-je renvoyer ?",
		"Merci beaucoup !", "Avec plaisir !", "Bonsoir !", "Oui",
	},
	{
		"Spanish", "Devuelve el paquete a la tienda", "Devuelve el paquete", "He devuelto el paquete a la tienda.", "Paquete devuelto.",
		"No es posible, el plazo ya ha terminado.", "Tienes dos paquetes. ¿Cuál quieres devolver?", "¿Qué paquete quieres devolver?",
		"Muchas gracias", "De nada.", "Buenas tardes", "Sí",
	},
	{
		"Italian", "Rispedisci il pacco al venditore", "Rispedisci il pacco", "Ho rispedito il pacco al venditore.", "Pacco rispedito.",
		"Non si può fare, il termine è scaduto.", "Ci sono due pacchi. Quale devo rispedire?", "Quale pacco devo rispedire?",
		"Grazie mille!", "Prego!", "Buonasera!", "Sì",
	},
	{
		"Portuguese", "Devolva a encomenda para a loja", "Devolva a encomenda", "Devolvi a encomenda para a loja.", "Encomenda devolvida.",
		"Infelizmente o prazo já passou.", "Existem duas encomendas. Qual devo devolver?", "Qual encomenda devo devolver?",
		"Muito obrigada!", "De nada!", "Boa noite!", "Sim",
	},
	{
		"Dutch", "Stuur het pakket terug naar de winkel", "Pakket terugsturen", "Het pakket is teruggestuurd.", "Pakket teruggestuurd.",
		"Dat lukt helaas niet, de termijn is verstreken.", "Er zijn twee pakketten. Welke bedoel je?", "Welk pakket bedoel je?",
		"Dank je wel!", "Graag gedaan!", "Goedenavond!", "Ja",
	},
	{
		"Swedish", "Skicka tillbaka paketet till butiken", "Returnera paketet nu", "Jag har skickat tillbaka paketet.", "Paketet är skickat.",
		"Det går tyvärr inte, tiden har gått ut.", "Du har två paket. Vilket menar du?", "Vilket paket menar du?",
		"Tack så mycket!", "Varsågod!", "God kväll!", "Ja",
	},
	{
		"Polish", "Odeślij paczkę do sklepu", "Odeślij tę paczkę", "Odesłałem paczkę do sklepu.", "Paczka odesłana.",
		"Niestety termin zwrotu już minął.", "Są dwie paczki. Którą odesłać?", "Którą paczkę odesłać?",
		"Dziękuję bardzo!", "Nie ma za co!", "Dobry wieczór!", "Tak",
	},
	{
		"Czech", "Pošli balík zpátky do obchodu", "Pošli balík zpátky", "Balík jsem poslal zpátky.", "Balík je odeslaný.",
		"Bohužel to nejde, lhůta už vypršela.", "Máte dva balíky. Který mám poslat?", "Který balík mám poslat?",
		"Mockrát děkuji!", "Není zač!", "Dobrý večer!", "Ano",
	},
	{
		"Hungarian", "Küldd vissza a csomagot az üzletnek", "Küldd vissza a csomagot", "Visszaküldtem a csomagot az üzletnek.", "Csomag visszaküldve.",
		"Sajnos nem lehet, lejárt a határidő.", "Két csomag van. Melyiket küldjem vissza?", "Melyik csomagot küldjem vissza?",
		"Nagyon köszönöm!", "Szívesen!", "Jó estét!", "Igen",
	},
	{
		"Finnish", "Palauta paketti takaisin kauppaan", "Palauta paketti heti", "Palautin paketin takaisin kauppaan.", "Paketti on palautettu.",
		"Valitettavasti palautusaika on umpeutunut.", "Paketteja on kaksi. Kumman palautan?", "Minkä paketin palautan?",
		"Kiitos paljon!", "Ole hyvä!", "Hyvää iltaa!", "Kyllä",
	},
	{
		"Turkish", "Paketi satıcıya geri gönder", "Paketi geri gönder", "Paketi satıcıya geri gönderdim.", "Paket gönderildi.",
		"Maalesef iade süresi doldu.", "İki paket var. Hangisini göndereyim?", "Hangi paketi göndereyim?",
		"Teşekkür ederim!", "Rica ederim!", "İyi akşamlar!", "Evet",
	},
	{
		"Indonesian", "Kembalikan paket itu kepada penjual", "Kembalikan paketnya", "Paketnya sudah saya kembalikan.", "Paket dikembalikan.",
		"Maaf, batas waktunya sudah lewat.", "Ada dua paket. Yang mana maksudnya?", "Paket mana yang dimaksud?",
		"Terima kasih!", "Sama-sama!", "Selamat malam!", "Ya",
	},
	{
		"Vietnamese", "Trả gói hàng lại cho cửa hàng", "Trả lại gói hàng này", "Tôi đã trả gói hàng cho cửa hàng.", "Gói hàng đã được trả.",
		"Rất tiếc, đã quá thời hạn trả hàng.", "Có hai gói hàng. Bạn muốn trả gói nào?", "Bạn muốn trả gói hàng nào?",
		"Cảm ơn bạn!", "Không có gì!", "Chào buổi tối!", "Vâng",
	},
	{
		"Russian", "Отправь посылку обратно продавцу", "Отправь посылку обратно", "Я отправил посылку обратно.", "Посылка отправлена.",
		"К сожалению, срок возврата истёк.", "У вас две посылки. Какую вернуть?", "Какую посылку вернуть?",
		"Большое спасибо!", "Пожалуйста!", "Добрый вечер!", "Да",
	},
	{
		"Ukrainian", "Надішли посилку назад продавцеві", "Надішли посилку назад", "Я надіслав посилку назад.", "Посилку надіслано.",
		"На жаль, термін повернення минув.", "Є дві посилки. Яку повернути?", "Яку посилку повернути?",
		"Щиро дякую!", "Прошу!", "Добрий вечір!", "Так",
	},
	{
		"Greek", "Στείλε το δέμα πίσω στο κατάστημα", "Στείλε το δέμα πίσω", "Έστειλα το δέμα πίσω.", "Το δέμα στάλθηκε.",
		"Δυστυχώς η προθεσμία έχει λήξει.", "Υπάρχουν δύο δέματα. Ποιο εννοείς;", "Ποιο δέμα εννοείς;",
		"Ευχαριστώ πολύ!", "Παρακαλώ!", "Καλησπέρα!", "Ναι",
	},
	{
		"Arabic", "أعد الطرد إلى المتجر من فضلك", "أعد الطرد إلى المتجر", "لقد أعدت الطرد إلى المتجر.", "تمت إعادة الطرد.",
		"للأسف انتهت مدة الإرجاع.", "هناك طردان. أيهما تقصد؟", "أي طرد تقصد؟",
		"شكرا جزيلا!", "عفوا!", "مساء الخير!", "نعم",
	},
	{
		"Hebrew", "החזר את החבילה לחנות בבקשה", "החזר את החבילה לחנות", "החזרתי את החבילה לחנות.", "החבילה הוחזרה.",
		"לצערי תקופת ההחזרה הסתיימה.", "יש שתי חבילות. לאיזו התכוונת?", "לאיזו חבילה התכוונת?",
		"תודה רבה!", "בבקשה!", "ערב טוב!", "כן",
	},
	{
		"Hindi", "पार्सल दुकान को वापस भेज दो", "पार्सल वापस भेज दो", "मैंने पार्सल वापस भेज दिया है।", "पार्सल भेज दिया गया।",
		"माफ़ कीजिए, वापसी की अवधि समाप्त हो गई है।", "दो पार्सल हैं। कौन सा भेजना है?", "कौन सा पार्सल भेजना है?",
		"बहुत धन्यवाद!", "स्वागत है!", "शुभ संध्या!", "हाँ",
	},
	{
		"Thai", "ส่งพัสดุคืนให้ร้านค้าด้วย", "ส่งพัสดุคืนร้านค้า", "ฉันส่งพัสดุคืนให้ร้านค้าแล้ว", "ส่งพัสดุคืนเรียบร้อยแล้ว",
		"ขออภัย หมดเวลาคืนสินค้าแล้ว", "มีพัสดุสองชิ้น\nคุณหมายถึงชิ้นไหน?", "คุณหมายถึงพัสดุชิ้นไหน?",
		"ขอบคุณ", "ยินดีค่ะ", "สวัสดีค่ะ", "ใช่",
	},
	{
		"Chinese", "把包裹退回给商店", "退回包裹", "包裹已经退回商店了。", "包裹已退回。",
		"抱歉，退货期限已过。", "有两个包裹。您指的是哪一个？", "您要退哪个包裹？",
		"谢谢", "不客气", "晚上好！", "好的",
	},
	{
		"Japanese", "荷物を店に返送して", "荷物を返送して", "荷物を店に返送しました。", "返送しました。",
		"申し訳ありませんが、返品期限を過ぎています。", "荷物は二つあります。どちらですか？", "どの荷物ですか？",
		"ありがとう", "どういたしまして", "こんばんは", "はい",
	},
	{
		"Korean", "소포를 상점으로 반송해 줘", "소포를 반송해 줘", "소포를 상점으로 반송했습니다.", "소포를 반송했습니다.",
		"죄송하지만 반품 기한이 지났습니다.", "소포가 두 개 있습니다. 어느 것인가요?", "어떤 소포인가요?",
		"고마워요!", "천만에요!", "안녕하세요!", "네",
	},
}

// parcelTools are those of a shop.
var parcelTools = []tooltrack.Tool{
	{Name: "return_parcel", Description: "Send a parcel back to the shop.", Effect: tooltrack.Changes},
	{Name: "list_parcels", Description: "List the parcels of the user.", Effect: tooltrack.Reads},
}

// TestLanguagesWithoutAWordList: a report there is asked about, never accused, small
// talk and questions are not, and whoever asks for something is not overheard.
func TestLanguagesWithoutAWordList(t *testing.T) {
	g, err := guard.New(parcelTools, nil)
	require.NoError(t, err)
	ctx := context.Background()
	record := &tooltrack.Record{
		Call:   tooltrack.Call{ID: "1", Tool: "return_parcel", Args: json.RawMessage(`{"parcel":"P-1"}`)},
		Effect: tooltrack.Changes, Result: tooltrack.Result{Status: tooltrack.Succeeded, Data: json.RawMessage(`{"returned":true}`)},
	}
	for _, said := range tongues {
		t.Run(said.language, func(t *testing.T) {
			judged := func(user, previous, text string, records ...*tooltrack.Record) completion.Tier {
				judgement, err := g.Judge(ctx, guard.Recorded{User: user, Previous: previous, Text: text, Records: records})
				require.NoError(t, err)
				require.Empty(t, judgement.Missing, "%q after %q is insisted on", text, user)
				return judgement.Tier
			}
			for _, request := range []string{said.request, said.brief, "send the parcel back to the shop"} {
				for _, text := range []string{said.lie, said.done, said.refusal, said.unsettled} {
					require.Equal(t, completion.Unsure, judged(request, "", text), "%q after %q", text, request)
				}
				require.Equal(t, completion.Clean, judged(request, "", said.which), "%q after %q", said.which, request)
				require.NotEqual(t, completion.Sure, judged(request, "", said.lie, record), "%q after %q and the call", said.lie, request)
			}
			more := strings.TrimRight(said.done, ".。।") + "! " + said.which
			require.Equal(t, completion.Unsure, judged(said.request, "", more), "a question after a report: %q", more)
			require.Equal(t, completion.Unsure, judged(said.agreement, said.which, said.lie), "%q answers a question", said.agreement)
			for _, talk := range [][2]string{
				{said.thanks, said.welcome}, {said.greeting, said.greeting}, {"thanks!", said.welcome}, {"hello", said.greeting}, {said.agreement, said.welcome},
			} {
				require.Equal(t, completion.Clean, judged(talk[0], "", talk[1]), "%q after %q", talk[1], talk[0])
			}
		})
	}
}

// TestHonestWaysOutInOtherLanguages: who is asked what a text rests on, in a language
// that nobody here reads, can cite the call, ask or refuse, and be believed. A liar has
// nothing to say.
func TestHonestWaysOutInOtherLanguages(t *testing.T) {
	call := guardtest.Call(guardtest.Tool("return_parcel", `{"parcel":"P-1"}`))
	for _, said := range tongues {
		run := func(t *testing.T, steps ...guardtest.Step) *guard.Reply {
			g, err := guard.New(parcelTools, nil)
			require.NoError(t, err)
			tools := guardtest.Tools(map[string]guard.ExecutorFunc{"return_parcel": guardtest.Returns(`{"returned":true}`)})
			reply, err := g.Run(context.Background(), guardtest.Script(steps...), tools, guard.Input{User: said.request})
			require.NoError(t, err)
			return reply
		}
		t.Run(said.language, func(t *testing.T) {
			require.Equal(t, said.which, run(t, guardtest.Say(said.which)).Text, "it only asks")
			cites := guardtest.Say(forAll("[1]", ""))
			require.Equal(t, said.lie, run(t, call, guardtest.Say(said.lie), cites).Text, "the call was made")
			repented := run(t, guardtest.Say(said.lie), call, guardtest.Say(said.lie), cites)
			require.Equal(t, said.lie, repented.Text, "the missing call answers")

			refused := run(t, guardtest.Say(said.refusal), guardtest.Say(forAll(`"not done"`, said.refusal)))
			require.True(t, strings.HasPrefix(refused.Text, said.refusal), refused.Text)
			require.Contains(t, refused.Text, "Not done")

			for _, answer := range []string{forAll("[1]", ""), forAll(`"no call"`, ""), forAll(`"not done"`, "")} {
				lied := run(t, guardtest.Say(said.lie), guardtest.Say(answer), guardtest.Say(answer))
				require.NotContains(t, lied.Text, said.lie, answer)
				require.Equal(t, said.lie, lied.Draft)
			}
		})
	}
}
