/** What stands at the outermost level of a pattern, in order; groups, sets and alternatives are `other`. */
export type Piece =
  | { readonly kind: 'textStart' }
  | { readonly kind: 'literal'; readonly text: string }
  /** `.*`, which adds nothing to what comes before it. */
  | { readonly kind: 'anything' }
  | { readonly kind: 'dot' }
  | { readonly kind: 'other' }

/** What can be said of every match without running the pattern. */
export interface LiteralShape {
  readonly literalPrefix: string
  readonly isLiteralPrefix: boolean
  /** The text that the whole pattern consists of, when it is nothing but that; null otherwise. */
  readonly plainText: string | null
}

/** Reads off the literal text at the start of a pattern. */
export function literalShape(pieces: readonly Piece[]): LiteralShape {
  const literals = (from: number): { text: string; next: number } => {
    let text = ''
    let next = from
    for (let piece = pieces[next]; piece?.kind === 'literal'; piece = pieces[next]) {
      text += piece.text
      next += 1
    }
    return { text, next }
  }
  if (pieces[0]?.kind !== 'textStart') {
    const { text, next } = literals(0)
    return { literalPrefix: '', isLiteralPrefix: false, plainText: next === pieces.length ? text : null }
  }
  const { text, next } = literals(1)
  const ends = next === pieces.length || (next === pieces.length - 1 && pieces[next]?.kind === 'anything')
  return { literalPrefix: text, isLiteralPrefix: ends, plainText: null }
}
