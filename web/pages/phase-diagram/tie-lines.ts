/** Lines of one drawing; more are a grey surface, and slow. */
const MOST_LINES = 3000

export function tooManyLines(count: number): boolean {
  return count > MOST_LINES
}
