/** A piece of JSON text that means something; also of text that is still being typed, with single quotes or keys without quotes. */
export interface Token {
  readonly kind: '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'word'
  readonly from: number
  readonly to: number
}

const PIECES = /[{}[\]:,]|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[^\s{}[\]:,"']+/g

export function tokensOf(text: string): readonly Token[] {
  return Array.from(text.matchAll(PIECES), ({ 0: piece, index }) => ({
    kind: kindOf(piece),
    from: index,
    to: index + piece.length,
  }))
}

function kindOf(piece: string): Token['kind'] {
  const first = piece.charAt(0)
  if (first === '"' || first === "'") return 'string'
  return '{}[]:,'.includes(first) ? (first as Token['kind']) : 'word'
}

/** Whether a string has its end. */
export function isClosed(piece: string): boolean {
  return /^(["'])(?:[^\\]|\\.)*\1$/.test(piece)
}

/** What a string or a word says. */
export function textOf(piece: string): string {
  const quote = piece.charAt(0)
  if (quote !== '"' && quote !== "'") return piece
  const inner = isClosed(piece) ? piece.slice(1, -1) : piece.slice(1)
  const json = quote === '"' ? inner : inner.replaceAll(/\\'|"/g, (found) => (found === '"' ? '\\"' : "'"))
  try {
    return JSON.parse(`"${json}"`)
  } catch {
    return inner
  }
}
