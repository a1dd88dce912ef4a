package keep_si

import (
	"testing"

	"github.com/dustin/go-humanize"
)

func TestPicksThePrefix(t *testing.T) {
	if value, prefix := humanize.ComputeSI(0.000047); value != 47 || prefix != "µ" {
		t.Errorf("got %v, %q", value, prefix)
	}
	if value, prefix := humanize.ComputeSI(8250000); value != 8.25 || prefix != "M" {
		t.Errorf("got %v, %q", value, prefix)
	}
	if value, prefix := humanize.ComputeSI(-0.75); value != -750 || prefix != "m" {
		t.Errorf("got %v, %q", value, prefix)
	}
}

func TestPicksAtTheEdge(t *testing.T) {
	if value, prefix := humanize.ComputeSI(1e6); value != 1 || prefix != "M" {
		t.Errorf("got %v, %q", value, prefix)
	}
	if value, prefix := humanize.ComputeSI(2.5e35); value != 250000 || prefix != "Q" {
		t.Errorf("got %v, %q", value, prefix)
	}
	if value, prefix := humanize.ComputeSI(-7e-33); value != -0.007 || prefix != "q" {
		t.Errorf("got %v, %q", value, prefix)
	}
}

func TestWritesWithUnit(t *testing.T) {
	if got := humanize.SI(1234567.5, "m"); got != "1.234568 Mm" {
		t.Errorf("got %q", got)
	}
	if got := humanize.SI(0, "A"); got != "0 A" {
		t.Errorf("got %q", got)
	}
	if got := humanize.SI(-3.3e-10, "F"); got != "-330 pF" {
		t.Errorf("got %q", got)
	}
}

func TestWritesWithDigits(t *testing.T) {
	if got := humanize.SIWithDigits(2789.9, 2, "W"); got != "2.78 kW" {
		t.Errorf("got %q", got)
	}
	if got := humanize.SIWithDigits(2789.9, 0, "W"); got != "2 kW" {
		t.Errorf("got %q", got)
	}
	if got := humanize.SIWithDigits(0.0125, 5, "s"); got != "12.5 ms" {
		t.Errorf("got %q", got)
	}
}

func TestReadsPrefixes(t *testing.T) {
	if value, unit, err := humanize.ParseSI("4.5 kHz"); err != nil || value != 4500 || unit != "Hz" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
	if value, unit, err := humanize.ParseSI("-12pF"); err != nil || value != -1.2e-11 || unit != "F" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
	if value, unit, err := humanize.ParseSI("17.5 Hz"); err != nil || value != 17.5 || unit != "Hz" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
}

func TestReadsBothMicros(t *testing.T) {
	if value, unit, err := humanize.ParseSI("27 μs"); err != nil || value != 2.7e-05 || unit != "s" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
	if value, unit, err := humanize.ParseSI("26 µs"); err != nil || value != 2.6e-05 || unit != "s" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
}

func TestRefusesWhatIsNoQuantity(t *testing.T) {
	if value, unit, err := humanize.ParseSI("volts"); err == nil || err.Error() != "invalid input" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
	if value, unit, err := humanize.ParseSI("1.2.3 kV"); err == nil || err.Error() != "strconv.ParseFloat: parsing \"1.2.3\": invalid syntax" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
}
