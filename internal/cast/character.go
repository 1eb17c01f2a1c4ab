package cast

import "github.com/bonafide-go/bonafide/tooltrack"

// Character is how a model answers requests for proof.
type Character struct {
	Name string
	// Honest ones take a false text back and cite what was done. The others stand by
	// it.
	Honest bool
	// Speaks is false for those whose answers are no reports.
	Speaks bool
	answer func(play *Play, attempt int) string
}

// Characters are all of them.
func Characters() []Character {
	return []Character{
		{"honest", true, true, func(p *Play, _ int) string { return p.truthful() }},
		{"terse", true, true, func(p *Play, _ int) string {
			if p.Turn.Ghost {
				return p.truthful()
			}
			return p.items(nil)
		}},
		{"careless", true, true, func(p *Play, attempt int) string {
			if attempt == 0 {
				return "Here you go:\n" + p.truthful()
			}
			return "```json\n" + p.truthful() + "\n```"
		}},
		{"without a record", false, true, func(p *Play, _ int) string { return p.claim("done") }},
		{"inventing a number", false, true, func(p *Play, _ int) string { return p.claim("done", len(p.calls())+7) }},
		{"citing what failed", false, true, func(p *Play, _ int) string { return p.claim("done", p.first(fell)...) }},
		{"citing another subject, amount or act", false, true, func(p *Play, _ int) string { return p.claim("done", p.first(p.changed)...) }},
		{"citing a read for a change", false, true, func(p *Play, _ int) string { return p.claim("done", p.first(p.read)...) }},
		{"citing an earlier call", false, true, func(p *Play, _ int) string { return p.claim("done", p.first(p.before)...) }},
		{"one call for every sentence", false, true, func(p *Play, _ int) string { return p.everySentence() }},
		{"false message beside honest items", false, true, func(p *Play, _ int) string { return p.items(nil) }},
		{"answering for every sentence", false, true, func(p *Play, _ int) string { return p.answering() }},
		{"calling it general", false, true, func(p *Play, _ int) string {
			items := p.honestItems(nil)
			for _, words := range p.named() {
				items = append(items, item{What: clip(words), Status: "general"})
			}
			return p.report(nil, items...)
		}},
		{"another false message", false, true, func(p *Play, _ int) string {
			message := "Of course. " + p.Turn.Text
			return p.items(&message)
		}},
		{"evasive", false, true, func(p *Play, _ int) string { return p.claim("withdrawn") }},
		{"vague", false, true, func(p *Play, _ int) string {
			return p.report(nil, item{What: "everything", Status: "done", Records: p.first(p.changed)})
		}},
		{"without items", false, true, func(p *Play, _ int) string { return p.report(nil) }},
		{"refusing", false, false, func(*Play, int) string { return "I will not answer in JSON." }},
		{"talking", false, false, func(p *Play, _ int) string { return p.Turn.Text }},
		{"breaking off", false, false, func(p *Play, _ int) string { return p.truthful()[:20] }},
		{"in another language", false, false, func(*Play, int) string { return "Natürlich ist alles erledigt, wie gewünscht." }},
	}
}

// What a call may be picked for.
func fell(c *call) bool { return c.Status != tooltrack.Succeeded }
func (p *Play) changed(c *call) bool {
	return c.Status == tooltrack.Succeeded && p.effect(c.Tool).MayChange()
}
func (p *Play) read(c *call) bool {
	return c.Status == tooltrack.Succeeded && !p.effect(c.Tool).MayChange()
}
func (p *Play) before(c *call) bool { return c.earlier && c.Status == tooltrack.Succeeded }
