package keep_bytes

import (
	"testing"

	"github.com/dustin/go-humanize"
)

func TestDecimalSizes(t *testing.T) {
	if got := humanize.Bytes(7); got != "7 B" {
		t.Errorf("got %q", got)
	}
	if got := humanize.Bytes(10); got != "10 B" {
		t.Errorf("got %q", got)
	}
	if got := humanize.Bytes(4321); got != "4.3 kB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.Bytes(987654321); got != "988 MB" {
		t.Errorf("got %q", got)
	}
}

func TestDecimalRoundsAtTheEdge(t *testing.T) {
	if got := humanize.Bytes(9949); got != "9.9 kB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.Bytes(9951); got != "10 kB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.Bytes(999999); got != "1000 kB" {
		t.Errorf("got %q", got)
	}
}

func TestDecimalOfTheLargest(t *testing.T) {
	if got := humanize.Bytes(18446744073709551615); got != "18 EB" {
		t.Errorf("got %q", got)
	}
}

func TestBinarySizes(t *testing.T) {
	if got := humanize.IBytes(1023); got != "1023 B" {
		t.Errorf("got %q", got)
	}
	if got := humanize.IBytes(1536); got != "1.5 KiB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.IBytes(76543210); got != "73 MiB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.IBytes(18446744073709551615); got != "16 EiB" {
		t.Errorf("got %q", got)
	}
}

func TestDigitsOfDecimal(t *testing.T) {
	if got := humanize.BytesN(76543210, 5); got != "76.543 MB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.BytesN(76543210, 1); got != "77 MB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.BytesN(9996, 3); got != "10.0 kB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.BytesN(1234, 0); got != "1 kB" {
		t.Errorf("got %q", got)
	}
}

func TestDigitsOfBinary(t *testing.T) {
	if got := humanize.IBytesN(76543210, 3); got != "73.0 MiB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.IBytesN(76543210, 6); got != "72.9973 MiB" {
		t.Errorf("got %q", got)
	}
	if got := humanize.IBytesN(10239, 4); got != "9.999 KiB" {
		t.Errorf("got %q", got)
	}
}

func TestReadsUnits(t *testing.T) {
	if got, err := humanize.ParseBytes("17 kB"); err != nil || got != 17000 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("17kIb"); err != nil || got != 17408 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("3 t"); err != nil || got != 3000000000000 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("3 TI"); err != nil || got != 3298534883328 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestReadsFractionsAndCommas(t *testing.T) {
	if got, err := humanize.ParseBytes("2.75 MiB"); err != nil || got != 2883584 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("1,234,567"); err != nil || got != 1234567 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("1,0.5  kb "); err != nil || got != 10500 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestReadsWholeNumbersExactly(t *testing.T) {
	if got, err := humanize.ParseBytes("9007199254740993 B"); err != nil || got != 9007199254740993 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("9007199254740993kib"); err != nil || got != 9223372036854776832 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestRefusesTooMuch(t *testing.T) {
	if got, err := humanize.ParseBytes("16 EiB"); err == nil || err.Error() != "too large: 16 EiB" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("18.5 EB"); err == nil || err.Error() != "too large: 18.5 EB" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestRefusesWhatIsNoSize(t *testing.T) {
	if got, err := humanize.ParseBytes("12 Parsecs"); err == nil || err.Error() != "unhandled size name: parsecs" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("kB"); err == nil || err.Error() != "strconv.ParseFloat: parsing \"\": invalid syntax" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := humanize.ParseBytes("1.2.3 kB"); err == nil || err.Error() != "strconv.ParseFloat: parsing \"1.2.3\": invalid syntax" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestSizeConstants(t *testing.T) {
	const sum float64 = humanize.EiByte + humanize.PByte/8
	if got := sum; got != 1.153046504606847e+18 {
		t.Errorf("got %v", got)
	}
	if got := uint64(humanize.GiByte - humanize.GByte); got != 73741824 {
		t.Errorf("got %v", got)
	}
	if got := int(humanize.MiByte + humanize.KByte + humanize.IByte); got != 1049577 {
		t.Errorf("got %v", got)
	}
}
