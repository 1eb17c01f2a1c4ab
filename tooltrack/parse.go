package tooltrack

// ParseOptions say how a host's own results are to be read. Nil is the default: the table of
// this package.
type ParseOptions struct {
	// Rule is the host's own reading of a result's text. It is asked first; when its second
	// value is false the table follows.
	Rule func(content string) (Status, bool)
}

// These are the beginnings of the guard's answers to calls that did not do their work: to one
// that is identical to an earlier one, was denied, is of unknown fate, or was only accepted. A
// program that sees only messages can tell by them what became of a call.
const (
	NotRunAgain = "Not run again:"
	NotRun      = "Error: the call was not run."
	NotKnown    = "Error: it is not known whether this call took effect"
	NotYetDone  = "Pending, not done yet:"
)

// ParseResult reads the result of a call from the text of a message, for those who see messages
// only. It fails where [ResultOf] would, and where the text reads like an error of a runtime or
// a framework. The result is graded [Reported].
func ParseResult(content string, options *ParseOptions) Result {
	return options.report(content, unknownCall)
}

// ParseCall is ParseResult for those who know the call and its tool. It tells the state of what
// was looked up, and the state that a change was to bring about, from a failure of the call;
// and an answer to a change that was lost on its way is Unknown, as it is for [Execute].
func ParseCall(tool *Tool, call Call, content string, options *ParseOptions) Result {
	result := options.report(content, tool.asked(call))
	if tool.Effect == Reads && !tool.Returns {
		result.Doubtful = "" // it may be what was looked up
	}
	return result
}

func (o *ParseOptions) report(content string, call *asked) Result {
	return o.read(Result{Status: Succeeded, Data: jsonOf([]byte(content))}, []byte(content), call)
}

// read judges a result that nothing is known against yet.
func (o *ParseOptions) read(result Result, body []byte, call *asked) Result {
	if o != nil && o.Rule != nil {
		content := string(body)
		if status, known := o.Rule(content); known {
			if status == Succeeded {
				return result
			}
			return result.fail(status, content)
		}
	}
	said := envelope{asked: call}
	said.judge(result.Data, maxLayers)
	result = said.settle(result)
	isEmpty := len(result.Data) == 0 || isNothing(result.Data) && result.Text() == ""
	if call.returns && isEmpty && result.Sure() {
		result.Doubtful = "it is empty, and the tool declares a result"
	}
	return result
}
