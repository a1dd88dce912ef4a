package gain_si

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/si"
)

func TestCompute(t *testing.T) {
	if value, prefix := si.Compute(72500); value != 72.5 || prefix != "k" {
		t.Errorf("got %v, %q", value, prefix)
	}
	if value, prefix := si.Compute(-6.4e-8); value != -64 || prefix != "n" {
		t.Errorf("got %v, %q", value, prefix)
	}
	if value, prefix := si.Compute(3e36); value != 3e+06 || prefix != "Q" {
		t.Errorf("got %v, %q", value, prefix)
	}
}

func TestFormat(t *testing.T) {
	if got := si.Format(2500000, "Pa"); got != "2.5 MPa" {
		t.Errorf("got %q", got)
	}
	if got := si.Format(-0.00125, "V"); got != "-1.25 mV" {
		t.Errorf("got %q", got)
	}
}

func TestFormatDigits(t *testing.T) {
	if got := si.FormatDigits(45678, 1, "Hz"); got != "45.6 kHz" {
		t.Errorf("got %q", got)
	}
	if got := si.FormatDigits(1.9999e-7, 2, "m"); got != "199.99 nm" {
		t.Errorf("got %q", got)
	}
}

func TestParse(t *testing.T) {
	if value, unit, err := si.Parse("7.25MW"); err != nil || value != 7.25e+06 || unit != "W" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
	if value, unit, err := si.Parse("-41 μm"); err != nil || value != -4.1e-05 || unit != "m" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
}

func TestParseRefuses(t *testing.T) {
	_, _, err := si.Parse("ohms")
	_, _, same := humanize.ParseSI("amperes")
	if got := fmt.Sprint(err, errors.Is(err, si.ErrInvalid), same == err); got != "invalid input true true" {
		t.Errorf("got %q", got)
	}
}

func TestParsePassesOn(t *testing.T) {
	if value, unit, err := si.Parse("-.-5 kg"); err == nil || err.Error() != "strconv.ParseFloat: parsing \"-.-5\": invalid syntax" {
		t.Errorf("got %v, %q, %v", value, unit, err)
	}
}

func TestPrefixes(t *testing.T) {
	prefixes := si.Prefixes()
	if got := strings.Join(prefixes, ","); got != "q,r,y,z,a,f,p,n,µ,m,,k,M,G,T,P,E,Z,Y,R,Q" {
		t.Errorf("got %q", got)
	}
	if got := len(prefixes); got != 21 {
		t.Errorf("got %v", got)
	}
}

func TestPrefixesAreACopy(t *testing.T) {
	si.Prefixes()[11] = "kilo"
	if got := si.Format(5300, si.Prefixes()[11]); got != "5.3 kk" {
		t.Errorf("got %q", got)
	}
}
