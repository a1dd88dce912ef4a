export function add(left, right) {
  return left + right
}
