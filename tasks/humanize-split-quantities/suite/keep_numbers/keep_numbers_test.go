package keep_numbers

import (
	"math/big"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

func TestTrailingZerosGo(t *testing.T) {
	if got := humanize.Ftoa(12.3450); got != "12.345" {
		t.Errorf("got %q", got)
	}
	if got := humanize.FtoaWithDigits(98.76543, 3); got != "98.765" {
		t.Errorf("got %q", got)
	}
	if got := humanize.FtoaWithDigits(98.70043, 3); got != "98.7" {
		t.Errorf("got %q", got)
	}
}

func TestCommasWithDigits(t *testing.T) {
	if got := humanize.CommafWithDigits(7654321.987, 2); got != "7,654,321.98" {
		t.Errorf("got %q", got)
	}
	if got := humanize.CommafWithDigits(7654321.987, 0); got != "7,654,321" {
		t.Errorf("got %q", got)
	}
}

func TestBigCommas(t *testing.T) {
	if got := humanize.BigComma(new(big.Int).Lsh(big.NewInt(5), 80)); got != "6,044,629,098,073,145,873,530,880" {
		t.Errorf("got %q", got)
	}
}

func TestEnglishStillCounts(t *testing.T) {
	if got := english.Plural(12345, "box", ""); got != "12,345 boxes" {
		t.Errorf("got %q", got)
	}
}
