package gain_big

import (
	"math/big"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/bytesize"
)

func TestBigDecimal(t *testing.T) {
	if got := bytesize.BigDecimal(new(big.Int).Exp(big.NewInt(10), big.NewInt(28), nil)); got != "10 RB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.BigDecimal(new(big.Int).Lsh(big.NewInt(7), 66)); got != "517 EB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.BigDecimal(big.NewInt(-77)); got != "-77 B" {
		t.Errorf("got %q", got)
	}
}

func TestBigBinary(t *testing.T) {
	if got := bytesize.BigBinary(new(big.Int).Lsh(big.NewInt(5), 111)); got != "10240 QiB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.BigBinary(new(big.Int).Exp(big.NewInt(10), big.NewInt(22), nil)); got != "8.5 ZiB" {
		t.Errorf("got %q", got)
	}
}

func TestParseBig(t *testing.T) {
	if got, err := bytesize.ParseBig("7.5 Zib"); err != nil || got.String() != "8854437155380584775680" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := bytesize.ParseBig("1,001 r"); err != nil || got.String() != "1001000000000000000000000000000" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestParseBigRefuses(t *testing.T) {
	if got, err := bytesize.ParseBig("3 Furlongs"); err == nil || err.Error() != "unhandled size name: furlongs" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := bytesize.ParseBig(""); err == nil || err.Error() != "Rat.Scan: invalid syntax" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBigSizesAreShared(t *testing.T) {
	humanize.BigMiByte.SetInt64(1050000)
	if got := bytesize.BigMiByte.String(); got != "1050000" {
		t.Errorf("got %q", got)
	}
	if got, err := bytesize.ParseBig("3 MI"); err != nil || got.String() != "3150000" {
		t.Errorf("got %v, %v", got, err)
	}
}
