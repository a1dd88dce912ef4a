package gain

import (
	"testing"

	"example.org/smoke/arithmetic"
)

func TestDouble(t *testing.T) {
	if got := arithmetic.Double(21); got != 42 {
		t.Errorf("2 * 21 is %d", got)
	}
}
