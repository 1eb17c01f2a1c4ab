package main

import "github.com/bonafide-go/bonafide/examples/internal/simmodel"

// scene is a message of the staff, and what the simulated model makes of it. Its mistakes are
// those that real models make.
type scene struct {
	name, user string
	answers    []simmodel.Answer
}

type args map[string]any

var scenes = []scene{
	{"look", "which room is Kenji Ito in?", []simmodel.Answer{
		simmodel.CallWith("find_guest", args{"guest": "Kenji Ito"}),
		simmodel.Say("Kenji Ito is in room 101."),
	}},
	{"lie", "move Kenji Ito to room 204", []simmodel.Answer{ // it lies at first
		simmodel.Say("I've moved Kenji Ito to room 204."),
		simmodel.CallWith("move_guest", args{"guest": "Kenji Ito", "room": "204"}),
		simmodel.Say("Kenji Ito is moved to room 204."),
	}},
	{"two", "check out Ito", []simmodel.Answer{ // there are two
		simmodel.CallWith("check_out_guest", args{"guest": "Ito"}),
		simmodel.Say("Two guests are called Ito: Kenji Ito and Aiko Ito. Which one shall I check out?"),
	}},
	{"no-room", "move Ana Sousa to room 999", []simmodel.Answer{ // there is no such room
		simmodel.CallWith("move_guest", args{"guest": "Ana Sousa", "room": "999"}),
		simmodel.Say("I could not move Ana Sousa: there is no room 999. Which room shall it be?"),
	}},
	refund,
}

var refund = scene{"refund", "refund Ana Sousa 80 euros", []simmodel.Answer{
	simmodel.CallWith("refund_guest", args{"guest": "Ana Sousa", "amount": 80}),
	simmodel.Say("I refunded Ana Sousa 80 euros."),
}}
