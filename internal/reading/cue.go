package reading

// cue is a set of words that the grammar of requests turns on. Which words they
// are, the data of the language says, under the names below.
type cue uint8

const (
	cueTo cue = iota
	cueDo
	cueHave
	cuePassive // be, get, have: before "… deleted"
	cueHaveGet
	cueSubject  // I, we
	cueOffers   // shall, can: before or after I
	cueProceed  // "proceed with the deletion"
	cueSeeks    // look, search, check
	cueFindsOut // before an "if" that is no condition
	cueLet
	cueWhich
	cueHow
	cueWhy
	cueWhen
	cueTakes // take, mark: verbs whose meaning lies in a particle
	cueLikes
	cueToThat
	cueLight // make, do: verbs that leave the act to their object
	cueOpens // on, in: prepositions that open a phrase, particles though they are
	cueCan
	cueShould
	cueWonder
	cueMind
	cueAble
	cueTries
	cueHelps   // help, go, try: verbs that only lead to the act
	cueHelping // what stands between them and the act
	cueForget
	cueStops
	cueExplains
	cueFinish
	cueOf
	cueThe
	cueFor
	cueKnows
	cueMakes
	cueSure
	cueEnsures
	cueRemind
	cueTells
	cueGives
	cueNeed
	cueOne
	cuePlans // what is only meant to be done some day
	cueNo
	cueBut
	cueThings // thing, request: nouns of what is asked for
	cueOnce
	cueAt
	cueUntil // after, until, till
	cueEase  // moment, chance, trouble: what a courtesy speaks of
	cueSays
	cueFirst
	cueAnd
	cueTomorrow
	cueIn
	cueUnits // of time
	cueAgain // before a hyphen: re-open
	cueLater // words of a time that has not come, and of no thing
	cueDays  // times that acts and things have
	cueNext
	cueSpans // "in a bit"
	cueOn
	cueSome
	cueStanding
	cueEach
	cueWeekday
	cueConveys // tell, ask, text: verbs that pass words on
	cueStill   // leave, keep: verbs that leave things as they are
	numCues
)

var cueNames = [numCues]string{
	"to", "do", "have", "be-get-have", "get-have", "subject", "offers", "proceeds", "seeks", "finds-out", "let",
	"which", "how", "why", "when", "takes", "likes", "to-that", "light-verbs", "opens", "can", "should", "wonder",
	"mind", "able", "tries", "helps", "helping", "forget", "stops", "explains", "finishes", "of", "the", "for",
	"knows", "make", "sure", "ensure", "remind", "tells", "gives", "need", "one",
	"plans", "no", "but", "things", "once", "at", "until", "ease", "says", "first", "and", "tomorrow", "in", "units", "re",
	"later", "days", "next", "spans", "on", "some",
	"standing", "each", "weekday-names", "conveys", "leave-keep",
}
