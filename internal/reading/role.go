package reading

import "strings"

// Role is a set of the parts that a word may play in a sentence. The names are those of the data file.
type Role uint64

// The roles, four to a line.
const (
	RoleHave, RoleBe, RoleWas, RoleBeen Role = 1 << (4 * iota), 2 << (4 * iota), 4 << (4 * iota), 8 << (4 * iota)
	RoleBeing, RoleGet, RoleDo, RoleWill
	RoleModal, RoleTo, RoleUs, RoleYou
	RoleOther, RoleNegative, RoleCondition, RoleFactive
	RoleRelative, RoleEarlier, RoleNow, RoleAgain
	RoleAdverb, RoleAnd, RoleBut, RoleAll
	RoleQuestion, RoleHedge, RolePlease, RoleWant
	RoleLet, RoleError, RoleTrouble, RoleUnable
	RoleFail, RoleWait, RoleHold, RoleVerify
	RoleLook, RolePass, RoleAttempt, RoleDone
	RoleTick, RoleSorry, RoleAsk, RoleLonger
	RoleTalk, RoleRefrain, RoleTransient, RoleMore
	RoleWords, RolePart, RoleNoChange, RoleClosing
	RolePolicy, RolePermission, RoleMissing, RoleEnvironment
	RoleCheck, RoleReport, RoleThink, _
)

// roleNames are their names in the data file, in the same order.
var roleNames = strings.Fields(`
	have be was been being get do will modal to us you other negative condition factive relative earlier now again
	adverb and but all question hedge please want let error trouble unable fail wait hold verify look pass attempt
	done tick sorry ask longer talk refrain transient more words part unchanged closing
	policy permission missing environment check report think
`)
