// Package vector answers one question: which tool do these words point at?
//
// People rarely speak of a tool in its own words: "take it off" for delete_item, "how full is" for
// get_level. Which words go with which sort of tool holds from one set of tools to the next, so it
// is learned: each word of a text, and each word by which a tool is described, has a [Vector], and
// a text is the nearer to a tool the more the sums of their vectors point the same way.
//
//	set := vector.English()
//	var bearings vector.Bearings
//	bearings.AddTool(acts, false, lemmas)
//	toward := set.Toward(bearings)
//
//	heading := vector.NewHeading(set)
//	heading.Begin(vector.Sum{})
//	for i := range tokens {
//		heading.Say(&tokens[i])
//	}
//	point := heading.Vector()
//	near := point.Times(&toward)
//
// The vectors are fitted to labelled requests together with the models of package intent, by its
// TestFit, and written to data/vectors.txt. A [Set] is read by many at once, a [Heading] by one.
package vector
