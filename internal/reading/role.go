package reading

// Role is a set of the parts that a word may play in a sentence. The names are
// those of the data file.
type Role uint64

// The roles.
const (
	RoleHave Role = 1 << iota
	RoleBe
	RoleWas
	RoleBeen
	RoleBeing
	RoleGet
	RoleDo
	RoleWill
	RoleModal
	RoleTo
	RoleUs
	RoleYou
	RoleOther
	RoleNegative
	RoleCondition
	RoleFactive
	RoleRelative
	RoleEarlier
	RoleNow
	RoleAgain
	RoleAdverb
	RoleAnd
	RoleBut
	RoleAll
	RoleQuestion
	RoleHedge
	RolePlease
	RoleWant
	RoleLet
	RoleError
	RoleTrouble
	RoleUnable
	RoleFail
	RoleWait
	RoleHold
	RoleVerify
	RoleLook
	RolePass
	RoleAttempt
	RoleDone
	RoleTick
	RoleMoney
	RoleSorry
	RoleAsk
	RoleOffer
	RoleLight
	RoleLonger
	RoleTalk
	RoleRefrain
	RoleSystem
	RoleTransient
	RoleMore
	RoleWords
	RolePart
	RoleNoChange
	RoleClosing
	RolePolicy
	RolePermission
	RoleMissing
	RoleEnvironment
	RoleCheck
	RoleReport
	RoleThink
	numRoles = iota
)

var roleNames = [numRoles]string{
	"have", "be", "was", "been", "being", "get", "do", "will", "modal", "to", "us", "you", "other", "negative",
	"condition", "factive", "relative", "earlier", "now", "again", "adverb", "and", "but", "all", "question",
	"hedge", "please", "want", "let", "error", "trouble", "unable", "fail", "wait", "hold", "verify", "look",
	"pass", "attempt", "done", "tick", "money", "sorry", "ask", "offer", "light", "longer", "talk", "refrain",
	"system", "transient", "more", "words", "part", "unchanged", "closing", "policy", "permission", "missing",
	"environment", "check", "report", "think",
}
