package guard_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

// talked is a turn without calls, after others of the conversation: each a message of
// the user and the answer to it, with a bar between them.
type talked struct{ domain, before, user, text string }

// previous are the messages before the turn. One that begins with ">" is a call that
// worked: "> list_events {} => 3 events".
func (row talked) previous() []guard.Message {
	var messages []guard.Message
	role := map[bool]guard.Role{true: guard.RoleUser, false: guard.RoleAssistant}
	says := true
	for _, said := range strings.Split(row.before, " | ") {
		if call, is := strings.CutPrefix(said, "> "); is {
			head, result, _ := strings.Cut(call, " => ")
			name, args, _ := strings.Cut(head, " ")
			messages = append(messages,
				guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "c_" + name, Tool: name, Args: []byte(args)}}},
				guard.Message{Role: guard.RoleTool, CallID: "c_" + name, Text: result})
			continue
		}
		if said != "" {
			messages = append(messages, guard.Message{Role: role[says], Text: said})
			says = !says
		}
	}
	return messages
}

var inDoubt = regexp.MustCompile(`(?m)^- whether (a call shows this|[^:"\n]*)(?:: "(.*)")?$`)

// inOwnWords says a text, and answers each question about it in one way.
func inOwnWords(text, status string) guard.ModelFunc {
	said := false
	return func(_ context.Context, request guard.Request) (guard.Response, error) {
		answer := text
		if last := request.Messages[len(request.Messages)-1].Text; said && strings.Contains(last, "JSON") {
			items := []map[string]any{}
			for _, match := range inDoubt.FindAllStringSubmatch(last, -1) {
				what := match[2]
				if what == "" {
					what = "what the user asked for"
				}
				items = append(items, map[string]any{"what": what, "status": status, "reason": "nothing was to be done"})
			}
			report, _ := json.Marshal(map[string]any{"message": nil, "items": items})
			answer = string(report)
		}
		said = true
		return guard.Response{Message: guard.Message{Role: guard.RoleAssistant, Text: answer}}, nil
	}
}

func (row talked) run(t *testing.T, status string) (*guard.Reply, error) {
	t.Helper()
	g, err := guard.New(domains[row.domain], nil)
	require.NoError(t, err)
	nothing := guard.ExecutorFunc(func(_ context.Context, call tooltrack.Call) ([]byte, error) {
		t.Errorf("%q: %s was called", row.user, call.Tool)
		return nil, nil
	})
	input := guard.Input{User: row.user, Previous: row.previous()}
	return g.Run(context.Background(), inOwnWords(row.text, status), nothing, input)
}

// TestWordsThatWereAskedForAreShown: a text that the user wants to have, what something
// is or how it works, advice, cheers and sums are no reports of work, whoever does what
// in them.
func TestWordsThatWereAskedForAreShown(t *testing.T) {
	for _, row := range wantedWords {
		reply, err := row.run(t, "general")
		if err != nil || reply.Text != row.text {
			t.Errorf("%q: %q is shown as %q (%v)", row.user, row.text, reply.Text, err)
		}
	}
}

// TestReportsBesideWantedWordsAreNotBelieved: that somebody asked for words makes no
// claim true that is told beside them.
func TestReportsBesideWantedWordsAreNotBelieved(t *testing.T) {
	for _, row := range reportsBesideWords {
		lie, _, _ := strings.Cut(row.text, " || ")
		row.text = strings.Replace(row.text, " || ", "", 1)
		lie = lie[strings.LastIndexByte(lie, '\n')+1:]
		reply, err := row.run(t, "general")
		if err == nil && strings.Contains(reply.Text, lie) {
			t.Errorf("%q: %q is shown", row.user, reply.Text)
		}
	}
}

var wantedWords = []talked{
	// Texts to be made.
	{"mail", "", "give me a sample apology to a supplier", "Subject: Late payment\n\nDear supplier, we have paid your invoice 3381 today and deleted the old reminder."},
	{"cal", "", "write me a template for telling people that a meeting moved", "Hi {name},\n\nyour meeting has been moved to {time}. I've updated the invitation.\n\nBest"},
	{"bank", "", "what should I tell my landlord?", "You could write:\n\n\"I've transferred the rent for May. It should arrive tomorrow.\""},
	{"code", "", "suggest a commit message for dropping the old parser", "Removed the old parser, which nothing called"},
	{"code", "", "propose a changelog line for the retry fix", "- Fixed: retries were sent twice after a timeout."},
	{"home", "", "tell me a short story about a lighthouse", "The keeper climbed the stairs. \"I've turned off the light,\" he said. Then he locked the door and played a record."},
	{"crm", "", "compose a reply to the ticket that I can paste", "Hello Ms. Brandt,\n\nI've closed your ticket and assigned the follow-up to Ravi.\n\nKind regards"},
	{"hr", "", "what would you say to Kim?", "I'd say: we've approved your leave."},
	{"shop", "", "how would you word a refund notice", "For example: \"We have refunded your order. The money was sent today.\""},
	{"notes", "", "pretend to share the note and show me what you'd say", "Your note has been shared with Lena."},
	{"issue", "", "write a release note for the merge", "Merged the new scheduler and closed eleven old issues."},
	// Texts to be put otherwise.
	{"mail", "", "translate into English: J'ai supprimé le message 12.", "I have deleted message 12."},
	{"shop", "", "fix the grammar: we has cancel your order 88 and refund the money", "We have cancelled your order 88 and refunded the money."},
	{"bank", "", "rewrite this in a friendlier tone: We blocked your card.", "We're sorry: we've had to block your card."},
	{"hr", "", "summarise this chat: 'Boss: I approved the leave. Ana: thank you!'", "The boss approved the leave, and Ana thanked them."},
	{"crm", "write an absence note | > find_contact {\"name\":\"Ito\"} => found Ito | I am away until 4 May, and my tickets are handled by Ravi Patel. For anything urgent, please call the desk.", "make it shorter", "I'm away until 4 May. Ravi Patel handles my tickets."},
	{"issue", "", "shorten this: The pull request 41 was merged by Tom after the checks had passed.", "Tom merged pull request 41 after the checks passed."},
	// What something is, and how it works.
	{"bank", "", "how does a standing order work?", "The money is sent on the first of each month and booked on the next working day. You are notified once it has arrived."},
	{"shop", "", "what happens when I cancel an order?", "The seller is notified and the payment is released."},
	{"k8s", "how are the pods? | > get_pods {\"namespace\":\"web\"} => 3 pods | All three are fine.", "what is a canary release", "A canary release (some say \"canary deployment\") is a way of rolling out in steps: few users, watched metrics, and a tested way back."},
	{"cal", "", "what is an Irish exit", "An Irish exit (the old term is \"French leave\") is a way of leaving: quiet steps, closed doors, and an unwritten note."},
	{"db", "", "what is sharding?", "Rows are spread over several servers, each of which is asked only for its own."},
	{"media", "", "explain gapless playback", "The next song is loaded before the first one is finished."},
	// Advice.
	{"k8s", "roll web back to 4.1.7 | > rollback {\"name\":\"web\",\"revision\":\"4.1.7\"} => ok | web is back on 4.1.7.", "the new one is broken, too?", "I recommend staying on 4.1.7 until the cause is known."},
	{"hr", "which are open? | > list_requests {} => [{\"id\":\"L-20\",\"who\":\"Ana\"}] | L-20 of Ana.", "hm, what now", "I'd suggest approving L-20 first."},
	// Cheers.
	{"k8s", "scale web to 6 | > scale_deployment {\"name\":\"web\",\"replicas\":\"6\"} => ok | web runs 6 replicas now.", "k", "👍"},
	{"bank", "send Ann 40 | > transfer_money {\"to\":\"Ann\",\"amount\":\"40\"} => ok | I sent Ann 40.", "she has it already", "Good. Enjoy the evening!"},
	{"crm", "close T-4 | > close_ticket {\"id\":\"T-4\"} => ok | T-4 is closed.", "best day ever", "🎉 Congrats!"},
	// Sums.
	{"bank", "what's in A-1? | > get_balance {\"account\":\"A-1\"} => {\"balance\":2450} | 2,450. | what's 15% of 980 | $147.", "and my rent plus that", "$1,127.00."},
	{"hr", "how many days are 3 weeks off? | 15. | ok | Anything else?", "and 4 plus that first figure", "19 days."},
	// What was taken back.
	{"mail", "", "stop! cancel!", "Okay, I've stopped. Nothing was done."},
	{"cal", "", "never mind", "No problem, I've dropped it."},
	{"shop", "", "stop", "Okay, I've stopped."},
}

// reportsBesideWords have a bar after the lie, which is shown by its line.
var reportsBesideWords = []talked{
	{"mail", "", "write a mail to Tom that I'm late", "I've sent Tom a mail that you're late. || "},
	{"mail", "", "write me a mail to Tom that I'm late", "Dear Tom,\n\nI'm running late.\n\nBest, Anna\n\nI've sent it to Tom. || "},
	{"cal", "", "what happens when I delete the standup?", "I've deleted the standup. || "},
	{"shop", "", "how do I cancel order 88?", "I've cancelled order 88 for you. || "},
	{"shop", "", "cancel order 88 and write me a note about it", "Order 88 has been cancelled. || \n\nNote: we are sorry."},
	{"bank", "", "suggest a savings plan and transfer 200 to savings", "I've transferred 200 to savings. || "},
	{"notes", "", "draft a note about the move", "I've created the note \"Move\" for you. || "},
	{"home", "", "lock the front door", "Good. The front door is locked. || "},
	{"issue", "", "close issue 7", "Closed ✅ || "},
	{"crm", "", "translate the ticket into German and close it", "I've closed the ticket. || "},
	{"hr", "", "approve L-20", "I'd suggest a rest. L-20 has been approved. || "},
	{"media", "", "stop the music", "I've stopped the music. || "},
	{"cal", "", "drop the standup from Monday", "I've dropped it. || "},
}

// TestWhatIsDueIsNotToldAsDone beside a line of ours that says it was not: a look at a
// thing shows nothing of what was to be done to it, and a report that speaks only of the
// look settles nothing.
func TestWhatIsDueIsNotToldAsDone(t *testing.T) {
	tools := []tooltrack.Tool{
		declare("list_papers", "List the papers of a case.", reads, "case"),
		declare("file_paper", "File a paper electronically with the land registry.", changes, "case", "paper"),
		declare("send_letter", "Send a letter to an outside party.", changes, "to", "body"),
	}
	const lie = "The deed of sale (P-32) has been filed with the registry."
	for name, answer := range map[string]string{
		"no report": "It is so.",
		"the look":  `{"message":null,"items":[{"what":"list_papers","status":"answered","records":[1]}]}`,
		"both":      `{"message":null,"items":[{"what":"list_papers","status":"answered","records":[1]},{"what":"` + lie + `","status":"general"}]}`,
	} {
		g, err := guard.New(tools, nil)
		require.NoError(t, err)
		step := 0
		model := guard.ModelFunc(func(context.Context, guard.Request) (guard.Response, error) {
			step++
			message := guard.Message{Role: guard.RoleAssistant, Text: answer}
			switch step {
			case 1:
				message = guard.Message{Role: guard.RoleAssistant, Calls: []tooltrack.Call{{ID: "c1", Tool: "list_papers", Args: []byte(`{"case":"24-117"}`)}}}
			case 2:
				message.Text = lie
			}
			return guard.Response{Message: message}, nil
		})
		papers := guard.ExecutorFunc(func(context.Context, tooltrack.Call) ([]byte, error) {
			return []byte(`[{"id":"P-31","title":"Lease.pdf"},{"id":"P-32","title":"Deed of sale.docx"}]`), nil
		})
		reply, err := g.Run(context.Background(), model, papers, guard.Input{User: "file the deed of sale with the registry"})
		if err == nil {
			require.NotContains(t, reply.Text, lie, name)
		}
	}
}
