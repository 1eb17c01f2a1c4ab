package intent

// evidence is what a message says for or against one tool, in named numbers: all
// that the trees are asked about. Its table is the only place where a number is
// named; weigh.go fills it in, data/model.txt weighs it.
type evidence [numEvidence]float32

// The evidence.
const (
	// The clause that says most for the tool.
	ePlain    = iota // what it says, roughly summed up
	eLead            // how far that is ahead of the best other tool
	eRank            // how many tools are ahead
	eAgain           // further clauses that speak for the tool
	eVerb            // how the verb relates to the tool's; see likeness
	eVerbLead        // how far that is ahead of the best other tool
	eVerbTies        // how many other tools fit the verb as well
	eVerbless        // there is no verb
	eOpposed         // the verb undoes what the tool does
	eSaid            // how any verb of the message relates to the tool's
	eGeneral         // the verb is used of everything
	eName            // part of the name that is said
	eTold            // words of the description
	eNameRare        // words of the name that few tools have
	eToldRare        // words of the description that few tools have
	eRareLead        // how far these are ahead of the best other tool
	eHead            // the main word: 1 in the description, 2 in the name
	eKnown           // part of the clause that the tool knows
	eAllName         // part of the name that the whole message says
	eAllRare         // rare words of the tool that the whole message says
	eAllLead         // how far these are ahead
	// The clause.
	eCommand
	eAsking
	eFragment
	eBarred
	eYou
	eAble
	eContent // words with a meaning of their own
	eForeign // things of a kind that no tool knows
	eKind    // a thing of the tools
	eTime
	eNumbers
	eNames
	ePronoun
	eHolder      // a list of theirs: 1 behind a preposition, 2 right behind the verb
	eIndefinite  // a new thing of theirs
	eAttribute   // something that their things have
	eEnumerates  // names several things
	eHeadUnknown // the main word is known to none
	ePhraseKnown // part of the first phrase that the tool knows
	eExclusive   // words of its name that no other name has
	eUnsaid      // words of its name that are not said
	// The tool, and the clause together.
	eInfo
	eEntity
	eChanges
	eAnything // takes anything: a shell, a search of the web
	eAsksInfo // information is wanted, and the tool only answers
	eActsInfo // an act is asked for, and the tool only answers
	// The message.
	eClauses
	eWords
	eCommands // clauses by their mood
	eAskings
	eFragments
	eBars
	eFirstVerb // how the first clause's verb fits the tools
	eVerbs     // the best fit of any verb with any tool
	eRares     // the most that the words say of any tool
	eOpening   // how the message begins: see [reading.Message.Opening]
	eNegated
	eRefused
	eAgreed
	eThanks
	eQuestion
	eWordWork  // asks for words: to write, translate, calculate, explain
	eNarrated  // tells what the user did
	eYous      // speaks of the assistant
	eMys       // speaks of what is the user's
	eWithdrawn // how the message holds back what it speaks of; see Hold
	eForbidden
	eDrafted
	eSupposed
	eExplained
	ePrevious
	eReply
	eAskedBefore // it ended with a question
	eWording     // how it is put; see wording
	eContents    // words with a meaning of their own
	eHits        // those of them that some tool knows
	eAsks        // some clause asks for something, or names a thing
	eSpecific    // ids, names, numbers, times, and what is the user's
	eCommonVerb  // the verb is used of nearly everything
	eDeed        // how any act that is spoken of relates to the tool's
	eDeedLead
	eNear     // how near the tool is to where the words of the message point; see vectors
	eNearLead // how far that is ahead
	eIDFit    // an id is written like one that the tool takes
	eIDLead
	eSchemaTaken // what is given and the schema takes
	eSchemaIdle  // what is given and the schema does not take
	eSchemaNeeds // what the schema requires and is not given
	// The assistant's text before.
	eOffered   // it offered the tool
	ePriorVerb // a verb of it is the tool's
	ePriorRare // rare words of the tool
	ePriorLead // how far it is ahead
	eYes       // the message agrees, and the text before offered the tool or spoke of its act
	eYesLead   // how far that is ahead
	// How the tool stands to the others that the same clause speaks of, by the trees
	// that rank: its score, its share of all odds ("none" included), how far it is
	// ahead, and how many are before it.
	eScore
	eShare
	eAhead
	ePlace
	eSure // the probability that it is asked for
	numEvidence
)
