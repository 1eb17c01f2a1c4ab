// Package screen answers one question: what may be written to a terminal?
//
// Titles, results and answers come from users, tools and models. A terminal acts
// on some of the characters that they may hold: it moves the cursor, changes
// its title, opens links, or answers as if the person had typed. A [Screen] is a
// writer that shows such characters instead of obeying them:
//
//	out := screen.New(os.Stdout)
//	fmt.Fprintln(out, reply.Text)
//
// Line breaks and tabs pass. Colours are the program's own: [Screen.Style]. Lines
// are made to fit by [Wrap], within [Screen.Columns].
package screen
