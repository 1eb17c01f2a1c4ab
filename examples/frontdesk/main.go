// Frontdesk is the program of the cookbook: the agent of a hotel's front desk, from the first
// tool to the dashboard.
//
//	go run ./examples/frontdesk               # a simulated model, offline
//	go run ./examples/frontdesk -model NAME   # a real one, with OPENAI_API_KEY
//
// With a database of its own, the staff and the manager are two processes:
//
//	go run ./examples/frontdesk -db hotel.db -only staff
//	go run ./examples/frontdesk -db hotel.db -only manager
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/bonafide-go/bonafide/examples/internal/simmodel"
	"github.com/bonafide-go/bonafide/examples/internal/stage"
	"github.com/bonafide-go/bonafide/guard"
	"github.com/bonafide-go/bonafide/guard/otelguard"
	"github.com/bonafide-go/bonafide/tooltrack"
)

func main() {
	file := flag.String("db", "", "the `file` of the ledger (default: a temporary one)")
	only := flag.String("only", "", "play only the part of the staff or of the manager (default: the whole day)")
	stage.Main(func(ctx context.Context, out io.Writer, model string) error {
		return play(ctx, out, model, *file, *only)
	})
}

// play is a day at the front desk.
func play(ctx context.Context, out io.Writer, model, file, only string) (err error) {
	if file == "" {
		folder, err := os.MkdirTemp("", "bonafide-frontdesk")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		file = filepath.Join(folder, "hotel.db")
	}
	source, err := stage.Open(model, behave, nil)
	if err != nil {
		return err
	}
	defer source.Close()
	d, err := newDay(out, source, file)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		play func(context.Context) error
	}{{"staff", d.observe}, {"staff", d.serve}, {"manager", d.decide}} {
		if only == "" || only == part.name {
			if err := part.play(ctx); err != nil {
				return err
			}
		}
	}
	return d.dashboard(ctx)
}

// behave is the simulated model: it plays the scene of the message.
func behave(ctx context.Context, request simmodel.Request) simmodel.Answer {
	for _, s := range scenes {
		if request.Faults.Has(s.name) {
			return simmodel.Script(s.answers...)(ctx, request)
		}
	}
	return simmodel.Say("I do not know what to say.")
}

// day is what all parts of a day share.
type day struct {
	out       io.Writer
	source    *stage.Source
	file      string
	hotel     *hotel
	telemetry *otelguard.Telemetry
	metrics   *sdkmetric.ManualReader
}

func newDay(out io.Writer, source *stage.Source, file string) (*day, error) {
	metrics := sdkmetric.NewManualReader() // yours sends to a collector
	telemetry, err := otelguard.New(&otelguard.Options{
		MeterProvider: sdkmetric.NewMeterProvider(sdkmetric.WithReader(metrics)), Agent: "frontdesk",
	})
	return &day{out, source, file, newHotel(out), telemetry, metrics}, err
}

// observe lets the guard watch one turn: it changes nothing, and counts what it would do.
func (d *day) observe(ctx context.Context) error {
	watching, err := openDesk(ctx, d.file, d.hotel, d.telemetry, true)
	if err != nil {
		return err
	}
	defer watching.close()
	fmt.Fprintln(d.out, "== The guard observes")
	if err := d.ask(ctx, watching, scenes[1], "observed"); err != nil {
		return err
	}
	for what, times := range watching.Counters().Would {
		fmt.Fprintf(d.out, "  would have done: %s (%d)\n", what, times)
	}
	return nil
}

// serve answers the staff, with the guard in force.
func (d *day) serve(ctx context.Context) error {
	desk, err := openDesk(ctx, d.file, d.hotel, d.telemetry, false)
	if err != nil {
		return err
	}
	defer desk.close()
	fmt.Fprintln(d.out, "\n== The guard acts")
	for _, s := range scenes {
		if err := d.ask(ctx, desk, s, "message-"+s.name); err != nil {
			return err
		}
	}
	return nil
}

// ask runs one turn and prints what a person would see, and what was kept from them.
func (d *day) ask(ctx context.Context, desk *desk, s scene, turn string) error {
	fmt.Fprintf(d.out, "maria: %s\n", s.user)
	input := guard.Input{User: s.user, Owner: "maria", Conversation: "desk-1", Turn: turn}
	reply, err := d.telemetry.Run(ctx, desk.Guard, d.source.Model(s.user, s.name), d.hotel.tools(), input)
	if err != nil && !errors.Is(err, guard.ErrHeld) && !stage.Told(err) {
		return err
	}
	if reply.Draft != "" && reply.Draft != reply.Text {
		fmt.Fprintf(d.out, "  not shown: %s\n", reply.Draft)
	}
	fmt.Fprintf(d.out, "agent: %s\n", reply.Text+reply.Account)
	return nil
}

// decide is the manager's program. It may run days later, on another machine.
func (d *day) decide(ctx context.Context) error {
	desk, err := openDesk(ctx, d.file, d.hotel, d.telemetry, false)
	if err != nil {
		return err
	}
	defer desk.close()
	fmt.Fprintln(d.out, "\n== The manager decides")
	waiting, err := desk.Ledger().Approvals(ctx, tooltrack.ApprovalQuery{AllOwners: true})
	if err != nil {
		return err
	}
	for _, approval := range waiting {
		fmt.Fprintf(d.out, "  waits for %s: %s %s\n", approval.Owner, approval.Summary, approval.Call.Args)
		yes := tooltrack.Answer{By: "joana", Approve: true} // who is logged in
		if _, err := desk.Ledger().Answer(ctx, approval.Owner, approval.ID, yes); err != nil {
			return err
		}
		fmt.Fprintln(d.out, "joana: yes")
		watched, span := d.telemetry.Begin(ctx, guard.Input{Owner: approval.Owner, Turn: approval.Turn})
		model := d.telemetry.Model(d.source.Model(refund.user, refund.name))
		reply, err := desk.Resume(watched, model, d.telemetry.Executor(d.hotel.tools()), approval.Owner, approval.Turn)
		span.End(reply, err)
		if err != nil {
			return err
		}
		fmt.Fprintf(d.out, "agent: %s\n", reply.Text)
	}
	return nil
}

// panels are the metrics of the dashboard.
var panels = []string{"bonafide.turns", "bonafide.tool.calls", "bonafide.extra.model_calls"}

// dashboard prints what a dashboard would show.
func (d *day) dashboard(ctx context.Context) error {
	var all metricdata.ResourceMetrics
	if err := d.metrics.Collect(ctx, &all); err != nil {
		return err
	}
	var rows []string
	for _, scope := range all.ScopeMetrics {
		for _, metric := range scope.Metrics {
			sum, counts := metric.Data.(metricdata.Sum[int64])
			if !counts || !slices.Contains(panels, metric.Name) {
				continue
			}
			for _, point := range sum.DataPoints {
				about := point.Attributes.Encoded(attribute.DefaultEncoder())
				rows = append(rows, fmt.Sprintf("  %s %s: %d", metric.Name, about, point.Value))
			}
		}
	}
	slices.Sort(rows)
	fmt.Fprintf(d.out, "\n== The dashboard\n%s\n", strings.Join(rows, "\n"))
	return nil
}
