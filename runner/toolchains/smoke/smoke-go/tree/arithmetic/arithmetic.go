// Package arithmetic counts.
package arithmetic

// Add returns the sum.
func Add(left, right int) int {
	return left + right
}
