package keep

import (
	"testing"

	"example.org/smoke/arithmetic"
)

func TestAdd(t *testing.T) {
	if got := arithmetic.Add(2, 3); got != 5 {
		t.Errorf("2 + 3 is %d", got)
	}
}
