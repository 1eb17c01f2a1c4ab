package reading

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnlyTheObjectResolves: a title elsewhere in a message does not make its command
// one about that entity.
func TestOnlyTheObjectResolves(t *testing.T) {
	for text, want := range map[string]bool{
		"delete [Milk]": true, "please remove my task [Milk] now": true, "mark [Read book] as done": true, "move [Read book] to Friday": true,
		"rename [Pay rent] to Pay the rent": true, "tick off [Pay rent]": true, "get rid of [Milk]": true, `delete the task called "[Milk]".`: true,
		"delete Milk and [Call Ann]": true, "[Milk], delete it": true, "I want you to drop [Milk] please": true, "complete [Pay rent], and delete Milk": true, "delete the [Milk] task": true,
		"delete the photo of [Milk]": false, "finish this poem about [milk]": false, "update me on the price of [milk]": false,
		"delete the word [milk] from the text": false, "change the recipe so that it uses no [milk]": false, "delete the e-mail [Pay rent]": false,
		"remove my account, I have no time to [Call Ann]": false, "remove the stain, it is from [Milk]": false, "delete the [Milk] carton": false,
		"[Call Ann]": false, "cancel my gym, I'd rather go to [Pension Kiefer]": false,
	} {
		from := strings.IndexByte(text, '[')
		plain := strings.NewReplacer("[", "", "]", "").Replace(text)
		require.Equal(t, want, IsObject(plain, from, strings.IndexByte(text, ']')-1, "task"), text)
	}
}

func TestKindsByName(t *testing.T) {
	for words, want := range map[string]bool{
		"list my tasks": true, "list my Task": true, "the task.": true, "tasking": false, "multitask": false, "": false, "taskss": false,
	} {
		require.Equal(t, want, NamesKind(words, "Task"), words)
	}
}
