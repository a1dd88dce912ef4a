package gain_bytesize

import (
	"testing"

	"github.com/dustin/go-humanize/bytesize"
)

func TestDecimal(t *testing.T) {
	if got := bytesize.Decimal(8); got != "8 B" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.Decimal(6543); got != "6.5 kB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.Decimal(99501); got != "100 kB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.Decimal(18446744073709551615); got != "18 EB" {
		t.Errorf("got %q", got)
	}
}

func TestDecimalN(t *testing.T) {
	if got := bytesize.DecimalN(123456789, 4); got != "123.5 MB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.DecimalN(123456789, 1); got != "123 MB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.DecimalN(99996, 4); got != "100.0 kB" {
		t.Errorf("got %q", got)
	}
}

func TestBinary(t *testing.T) {
	if got := bytesize.Binary(2560); got != "2.5 KiB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.Binary(1048575); got != "1024 KiB" {
		t.Errorf("got %q", got)
	}
}

func TestBinaryN(t *testing.T) {
	if got := bytesize.BinaryN(123456, 5); got != "120.56 KiB" {
		t.Errorf("got %q", got)
	}
	if got := bytesize.BinaryN(9223372036854775807, 3); got != "8.00 EiB" {
		t.Errorf("got %q", got)
	}
}

func TestParse(t *testing.T) {
	if got, err := bytesize.Parse("6.5 gIb"); err != nil || got != 6979321856 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := bytesize.Parse("4,096 k"); err != nil || got != 4096000 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := bytesize.Parse("9007199254740995 kB"); err != nil || got != 9007199254740995000 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestParseRefuses(t *testing.T) {
	if got, err := bytesize.Parse("20 EB"); err == nil || err.Error() != "too large: 20 EB" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := bytesize.Parse("5 Miles"); err == nil || err.Error() != "unhandled size name: miles" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := bytesize.Parse("B"); err == nil || err.Error() != "strconv.ParseFloat: parsing \"\": invalid syntax" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestSplit(t *testing.T) {
	if number, unit := bytesize.Split("1,024.50  KiB "); number != "1024.50" || unit != "kib" {
		t.Errorf("got %q, %q", number, unit)
	}
	if number, unit := bytesize.Split("12,,7Mega Bytes"); number != "127" || unit != "mega bytes" {
		t.Errorf("got %q, %q", number, unit)
	}
	if number, unit := bytesize.Split(",9 X1"); number != "9" || unit != "x1" {
		t.Errorf("got %q, %q", number, unit)
	}
}

func TestSplitWithoutANumber(t *testing.T) {
	number, unit := bytesize.Split("-5 GB")
	if got := number + "/" + unit; got != "/-5 gb" {
		t.Errorf("got %q", got)
	}
}

func TestConstants(t *testing.T) {
	const half float64 = bytesize.EiByte/2 + bytesize.KByte
	if got := half; got != 5.764607523034245e+17 {
		t.Errorf("got %v", got)
	}
	if got := uint64(bytesize.TiByte - bytesize.TByte); got != 99511627776 {
		t.Errorf("got %v", got)
	}
}
