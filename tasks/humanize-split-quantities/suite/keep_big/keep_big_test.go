package keep_big

import (
	"math/big"
	"testing"

	"github.com/dustin/go-humanize"
)

func TestBigDecimal(t *testing.T) {
	if got := humanize.BigBytes(new(big.Int).Exp(big.NewInt(10), big.NewInt(25), nil)); got != "10 YB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.BigBytes(new(big.Int).Lsh(big.NewInt(3), 70)); got != "3.5 ZB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.BigBytes(new(big.Int).Exp(big.NewInt(10), big.NewInt(35), nil)); got != "100000 QB" {
		t.Errorf("got %q", got)
	}
}

func TestBigBinary(t *testing.T) {
	if got := humanize.BigIBytes(new(big.Int).Lsh(big.NewInt(11), 69)); got != "5.5 ZiB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.BigIBytes(new(big.Int).Exp(big.NewInt(10), big.NewInt(29), nil)); got != "81 RiB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.BigIBytes(big.NewInt(1023)); got != "1023 B" {
		t.Errorf("got %q", got)
	}
}

func TestBigSmallAndNegative(t *testing.T) {
	if got := humanize.BigBytes(big.NewInt(9)); got != "9 B" {
		t.Errorf("got %q", got)
	}
	if got := humanize.BigIBytes(big.NewInt(-123456)); got != "-123456 B" {
		t.Errorf("got %q", got)
	}
}

func TestBigLeavesItsArgument(t *testing.T) {
	size := big.NewInt(7654321)
	written := humanize.BigBytes(size) + " or " + humanize.BigIBytes(size)
	if got := written + " of " + size.String(); got != "7.7 MB or 7.3 MiB of 7654321" {
		t.Errorf("got %q", got)
	}
}

func TestReadsBig(t *testing.T) {
	if got, err := humanize.ParseBigBytes("1.25 QB"); err != nil || got.String() != "1250000000000000000000000000000" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBigBytes("3 qi"); err != nil || got.String() != "3802951800684688204490109616128" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBigBytes("12,345 Yib"); err != nil || got.String() != "14924189243142597161747742720" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBigBytes("0.0015k"); err != nil || got.String() != "1" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestRefusesWhatIsNoBigSize(t *testing.T) {
	if got, err := humanize.ParseBigBytes("12 Light Years"); err == nil || err.Error() != "unhandled size name: light years" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBigBytes("MB"); err == nil || err.Error() != "Rat.Scan: invalid syntax" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBigSizesAreReadWhenUsed(t *testing.T) {
	humanize.BigKByte.SetInt64(1001)
	if got, err := humanize.ParseBigBytes("7 kb"); err != nil || got.String() != "7007" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBigBytes("7 K"); err != nil || got.String() != "7007" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBigSizes(t *testing.T) {
	if got := humanize.BigQiByte.String(); got != "1267650600228229401496703205376" {
		t.Errorf("got %q", got)
	}
	if got := new(big.Int).Sub(humanize.BigYByte, humanize.BigEByte).String(); got != "999999000000000000000000" {
		t.Errorf("got %q", got)
	}
	if got := new(big.Int).Add(humanize.BigByte, humanize.BigSIByte).String(); got != "2" {
		t.Errorf("got %q", got)
	}
}
