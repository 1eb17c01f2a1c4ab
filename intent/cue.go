package intent

import "github.com/bonafide-go/bonafide/internal/lexicon"

// cue is a set of words that the grammar of requests turns on. Which words they
// are, the data file of the language says, under the names below.
type cue uint8

const (
	cueTo cue = iota
	cueDo
	cueGetHave
	cueYou
	cueCheckSeeEtc
	cueHow
	cueThere
	cueLet
	cueLookSearchEtc
	cueTakeMarkEtc
	cueSearchLookEtc
	cueForOnEtc
	cueHelpAssistEtc
	cueStopQuitEtc
	cueFrom
	cueForget
	cueMakeEnsure
	cueSure
	cueEnsure
	cueExplainDescribeEtc
	cueMe
	cueOfFrom
	cueForWithEtc
	cueFor
	cueToWithEtc
	cueUs
	cueUpdate
	cueOnAbout
	cueRemind
	cueAgainOfEtc
	cueOf
	cueThe
	cueIfWhether
	cueTellInformEtc
	cueTellShowEtc
	cueTell
	cueShouldMustEtc
	cueNeed
	cueBe
	cueWhat
	cueDoFinishEtc
	cueOne
	cueToThat
	cueMakeDoEtc
	cueOnInEtc
	cuePut
	cueMake
	cueGiveGet
	cueHave
	cueKnowSeeEtc
	cueWhy
	cueRememberRemindEtc
	cueNeedHaveEtc
	cueFreeBusyEtc
	cueHaveDoEtc
	cueOnAtEtc
	cueLook
	cueItThatEtc
	cueCan
	cueShouldShall
	cueMustWouldEtc
	cueAnd
	cueAble
	cuePossibleWayEtc
	cueWay
	cueMustShouldEtc
	cueMustShould
	cueInterestMoodEtc
	cueWonderForgetEtc
	cueThinkGuessEtc
	cueLikeLoveEtc
	cueLookSearchSeekEtc
	cueTryWantEtc
	cueWonder
	cueCraveFeel
	cueForYouEtc
	cueKnowSeeHearEtc
	cueFind
	cueBeGetEtc
	cueCanShouldEtc
	cueTheThisEtc
	cueWhen
	cueWhatWhich
	cueTimeDayEtc
	cueOtherMeanEtc
	cueShouldShallEtc
	cueCanCouldEtc
	cueLikeWantEtc
	cueMeUsEtc
	cueProceedContinueEtc
	cueConfirmProceedEtc
	cueNew
	cueAAnEtc
	cueToIntoEtc
	cueFromOff
	cueOfFor
	cueAfter
	cueWhichWho
	cueThank
	cueHelpNoun
	cueWho
	cueWhere
	cueMind
	cueRecap
	cueAnyone
	cueCommonVerbs
	numCues
)

var cueNames = [numCues]string{
	"to", "do", "get-have", "you", "check-see-etc", "how", "there", "let", "look-search-etc", "take-mark-etc", "search-look-etc",
	"for-on-etc", "help-assist-etc", "stop-quit-etc", "from", "forget", "make-ensure", "sure", "ensure", "explain-describe-etc", "me",
	"of-from", "for-with-etc", "for", "to-with-etc", "us", "update", "on-about", "remind", "again-of-etc", "of", "the", "if-whether",
	"tell-inform-etc", "tell-show-etc", "tell", "should-must-etc", "need", "be", "what", "do-finish-etc", "one", "to-that", "make-do-etc",
	"on-in-etc", "put", "make", "give-get", "have", "know-see-etc", "why", "remember-remind-etc", "need-have-etc", "free-busy-etc",
	"have-do-etc", "on-at-etc", "look", "it-that-etc", "can", "should-shall", "must-would-etc", "and", "able", "possible-way-etc", "way",
	"must-should-etc", "must-should", "interest-mood-etc", "wonder-forget-etc", "think-guess-etc", "like-love-etc", "look-search-seek-etc",
	"try-want-etc", "wonder", "crave-feel", "for-you-etc", "know-see-hear-etc", "find", "be-get-etc", "can-should-etc", "the-this-etc",
	"when", "what-which", "time-day-etc", "other-mean-etc", "should-shall-etc", "can-could-etc", "like-want-etc", "me-us-etc",
	"proceed-continue-etc", "confirm-proceed-etc",
	"new", "a-an-etc", "to-into-etc", "from-off", "of-for", "after", "which-who", "thank", "help-assistance", "who", "where", "mind", "recap-words", "anyone-words", "common-verbs",
}

// cuesOf finds the cues of a language. One that it does not have is never met.
func cuesOf(language *lexicon.Language) (cues [numCues]lexicon.Cue) {
	for i, name := range cueNames {
		cues[i] = language.Cue(name)
	}
	return cues
}

// cueSet is a set of cues that words are asked for at once.
type cueSet uint8

const (
	setSubject cueSet = iota // what may follow "I"; see reader.first
	numSets
)

var cueSets = [numSets][]cue{
	setSubject: {cueLikeLoveEtc, cueMustShouldEtc, cueInterestMoodEtc, cueNeed, cueAfter, cueWonderForgetEtc, cueThinkGuessEtc},
}

// setsOf makes the sets of cues of a language.
func setsOf(cues *[numCues]lexicon.Cue) (sets [numSets]lexicon.CueSet) {
	for i, members := range cueSets {
		for _, c := range members {
			if cues[c] != 0 {
				sets[i] = sets[i].With(cues[c])
			}
		}
	}
	return sets
}
