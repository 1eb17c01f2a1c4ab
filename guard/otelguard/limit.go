package otelguard

import "github.com/bonafide-go/bonafide/guard"

// limits is what the limits of a fleet have done, and how often who keeps them was down.
var limits = row{"bonafide.guard.limits", "What rates, budgets and the watch for circles have done.", "limit",
	func(c guard.Counters) counts {
		return counts{
			"rate": c.Denied["rate"], "limiter_down": c.HostFaults["Limiter.Take"], "loop_told": c.Denied["loop"],
			"loop_ended": c.Refused["loop"], "budget_ended": c.Refused["budget"], "meter_down": c.HostFaults["Meter.Add"],
		}
	}}
