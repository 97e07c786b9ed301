/** A piece of JSON text that means something; also of text that is still being typed, with single quotes, keys without quotes or patterns. */
export interface Token {
  readonly kind: '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'pattern' | 'word'
  readonly from: number
  readonly to: number
}

const PIECES = /[{}[\]:,]|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\/(?:[^/\\\n]|\\.)+\/[a-z]*|[^\s{}[\]:,"']+/g

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
  if (/^\/.+\/[a-z]*$/.test(piece)) return 'pattern'
  return '{}[]:,'.includes(first) ? (first as Token['kind']) : 'word'
}

/** Whether a string has its end. */
export function isClosed(piece: string): boolean {
  return /^(["'])(?:[^\\]|\\.)*\1$/.test(piece)
}

/** What a string or a word says; of a string that is not complete or not right, what it seems to. */
export function textOf(piece: string): string {
  if (!/^["']/.test(piece)) return piece
  return stringIn(piece) ?? (isClosed(piece) ? piece.slice(1, -1) : piece.slice(1))
}

/** What a string says; null where it has an escape that JSON has not. */
export function stringIn(piece: string): string | null {
  const inner = isClosed(piece) ? piece.slice(1, -1) : piece.slice(1)
  const json = piece.startsWith('"') ? inner : inner.replaceAll(/\\.|"/gs, asInJson)
  try {
    return JSON.parse(`"${json}"`)
  } catch {
    return null
  }
}

function asInJson(piece: string): string {
  if (piece === '"') return '\\"'
  return piece === "\\'" ? "'" : piece
}
