package intent

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/bonafide-go/bonafide/tooltrack"
)

// TestOneExampleIsRecalled: what is said again in the form of an example, by the same verb
// and of the same things, is asked for; what differs in one of them is not.
func TestOneExampleIsRecalled(t *testing.T) {
	for _, set := range []struct {
		tools  []tooltrack.Tool
		taught Example
		again  []string // mean the same
		other  []string // do not
	}{
		{
			[]tooltrack.Tool{
				{Name: "berth_assign", Description: "Assigns a berth to a ship."}, {Name: "pilot_list", Description: "Lists the pilots on duty."},
			},
			Example{"Meridian lies north tonight", []string{"berth_assign"}},
			[]string{"Aurora lies north tonight", "Solveig lies north tonight"},
			[]string{"the village lies north of here", "who lies north tonight?", "thanks!", "the fog lies low tonight"},
		},
		{
			[]tooltrack.Tool{
				{Name: "recipe_scale", Description: "Scales a recipe to a number of servings."}, {Name: "pantry_show", Description: "Shows what is in the pantry."},
			},
			Example{"make it 6 at the table tonight", []string{"recipe_scale"}},
			[]string{"make it 8 at the table tonight", "make it 12 at the table"},
			[]string{"make it quick", "did six sit at the table tonight?", "make it louder in the bar tonight"},
		},
		{ // around a title, whatever it is
			[]tooltrack.Tool{
				{Name: "hull_edit", Description: "Edits an entry of the yard book."}, {Name: "yard_show", Description: "Shows the yard."},
			},
			Example{"set Old Marta priority to dull", []string{"hull_edit"}},
			[]string{"set the barge of Ida priority to dull", "set tug of Ida priority to dull"},
			[]string{"set sail with Old Marta", "Old Marta priority to dull?", "thanks!"},
		},
	} {
		plain, taught := classifierFor(t, set.tools, nil), classifierFor(t, set.tools, &Options{Examples: []Example{set.taught}})
		for _, user := range set.again {
			require.NotEqual(t, set.taught.Expected, expected(t, plain, Utterance{User: user}), "%q needs no example", user)
			require.Equal(t, set.taught.Expected, expected(t, taught, Utterance{User: user}), user)
			in, err := taught.Classify(context.Background(), Utterance{User: user})
			require.NoError(t, err)
			require.False(t, insists(in, set.taught.Expected[0]), "an example makes nobody sure: %q", user)
		}
		for _, user := range set.other {
			require.Equal(t, expected(t, plain, Utterance{User: user}), expected(t, taught, Utterance{User: user}), user)
		}
	}
}

// TestIdleExamplesAreRecalled: what is near to a message that asked for nothing asks for
// nothing; a plain command does not care.
func TestIdleExamplesAreRecalled(t *testing.T) {
	const idle = "what's on my list today?" // it hangs on the wall
	plain := classifierFor(t, taskTools, nil)
	require.NotEmpty(t, expected(t, plain, Utterance{User: idle}), "the test teaches nothing")
	taught := classifierFor(t, taskTools, &Options{Examples: []Example{{User: idle}, {User: "delete the roof task"}}})
	in, err := taught.Classify(context.Background(), Utterance{User: idle})
	require.NoError(t, err)
	require.Empty(t, in.Expect)
	require.Less(t, in.Due, DefaultDue)
	require.Equal(t, []string{"delete_task"}, expected(t, taught, Utterance{User: "delete the roof task"}))
}
