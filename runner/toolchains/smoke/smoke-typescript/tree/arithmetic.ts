export function add(left: number, right: number): number {
  return left + right
}
