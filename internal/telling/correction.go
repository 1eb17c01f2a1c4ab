package telling

// Correction is what a model is told: what is wrong, and what to do about it where all calls may be
// asked for, where only look-ups may, and where none may. An empty text is that of the next one.
type Correction struct {
	Wrong string
	Then  [3]string
}

// Text is all of it, for the calls that may be asked for, from 0 for any to 2 for none.
func (c *Correction) Text(calling int) string { return c.Wrong + " " + c.Advice(calling) }

// Advice is what to do about it.
func (c *Correction) Advice(calling int) string {
	none := len(c.Then) - 1
	for calling < none && c.Then[calling] == "" {
		calling++
	}
	return c.Then[min(calling, none)]
}

// What to do about work that was not done and that nobody may be asked for.
const (
	leaveIt = "Tell the user plainly that it was not done, and leave it so."
	orWhy   = "Tell the user plainly that it was not done, or say exactly what prevents it."
)

// What is told of a turn that is not complete, where {about} is what it is about. Each text
// says what is wrong and leaves two ways out where a call may be made: to do the work, or to
// say what prevents it.
var (
	NoWork = Correction{
		"The request asks for something to be done, and no call and no reason against it is there.",
		[...]string{"Make the call now, or say exactly what prevents it.", "", orWhy}}
	ReadOnlyLoop = Correction{"The request asks for a change, but this turn only read.", [...]string{
		"Make the change now, or say exactly what prevents it and what is needed to go on.", "", orWhy}}
	Promise = Correction{"The turn ended with an announcement of work that nobody will do afterwards.", [...]string{
		"Make the call now instead of announcing it, or say exactly what prevents it.",
		"Tell the user plainly that nothing was changed, and leave it so. What is to be looked up, look up now.",
		leaveIt}}
	LeakedCall = Correction{"A call of {about} was written as text, so it was not executed.", [...]string{
		"Make it as a real tool call, or say exactly what prevents it.", "", "Answer the user in words instead."}}
	UnreportedFailure = Correction{"A change failed in this turn and the text does not say so: {about}.", [...]string{
		"Try it again, or tell the user what failed and why.", "", "Tell the user what failed and why."}}
	NoClosure = Correction{"The work is recorded, but the final text is missing.", [...]string{
		"", "", "Report in a few words what was done, and nothing that was not."}}
	EmptyText = Correction{"The answer is empty.", [...]string{
		"Do what the user asked for, or say exactly what prevents it and what is needed to go on.",
		"Answer the user, and look up what that needs.", "Answer the user."}}
	MissingRequirement = Correction{"The turn cannot end yet. Still missing: {about}.", [...]string{
		"Do that now, or say exactly what prevents it.", "", orWhy}}
)

// What is told of a claim, which is quoted, and why it is not so.
var (
	UnbackedChange = Correction{"The text reports work as done (%q), but %s.", [...]string{
		"Make the call now, or tell the user plainly that it was not done and why.", "", leaveIt}}
	UnbackedLookup = Correction{"The text reports what was looked up (%q), but %s.", [...]string{
		"Make the lookup now and report only what it returns, or say that it was not made.",
		"Make the lookup now and report only what it returns, or say that it was not made.",
		"Say that it was not made."}}
	UnbackedFailure = Correction{"The text reports a failure (%q), but %s.", [...]string{
		"Make the call first and report its real result, or say that it was not tried.", "",
		"Tell the user plainly that it was not tried, and leave it so."}}
	UnbackedVerification = Correction{"The text says that a check passed (%q), but %s.", [...]string{
		"Run the check now and report its real result, or say that it was not run.",
		"Run the check now and report its real result, or say that it was not run.",
		"Say that it was not run."}}
)
