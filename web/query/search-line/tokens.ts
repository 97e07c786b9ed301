/** A piece of the line that means something. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'sign' | 'comma' | 'open' | 'close' | 'json'
  /** What it says: of a quoted one, without quotes. */
  readonly text: string
  readonly from: number
  readonly to: number
}

const SIGNS: Readonly<Record<string, string>> = { '≥': '>=', '≤': '<=', '≠': '!=', '==': '=', '<>': '!=' }
const SIGN = /^(?:[<>!=]=|<>|[<>=≥≤≠])/
const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»', "'": "'" }
const WORD = /^[^\s,;<>=≥≤≠]+/
/** A word that says of which field the next one is a value. */
const KEY = /^[A-Za-z_][\w.]*:$/

/** Takes the line apart. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  const closing = new Set<number>()
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1
      continue
    }
    const token = tokenAt(text, at, { closing, before: tokens.at(-1) })
    tokens.push(token)
    at = token.to
  }
  return tokens
}

interface Seen {
  /** Where groups end that have begun. */
  readonly closing: Set<number>
  readonly before: Token | undefined
}

function tokenAt(text: string, from: number, { closing, before }: Seen): Token {
  const character = text.charAt(from)
  const token = (kind: Token['kind'], to: number, said = text.slice(from, to)): Token => ({
    kind,
    text: said,
    from,
    to,
  })
  if (closing.has(from)) return token('close', from + 1)
  if (character === ',' || character === ';') return token('comma', from + 1)
  const sign = SIGN.exec(text.slice(from, from + 2))?.[0]
  if (sign !== undefined) return token('sign', from + sign.length, SIGNS[sign] ?? sign)
  if (Object.hasOwn(QUOTES, character)) return quotedAt(text, from)
  const isList = character === '[' && before?.kind === 'word' && KEY.test(before.text)
  if (character === '{' || isList) return token('json', endOfJson(text, from))
  const end = character === '(' ? groupEnd(text, from) : null
  if (end !== null) {
    closing.add(end)
    return token('open', from + 1)
  }
  const word = WORD.exec(text.slice(from))?.[0] ?? character
  const to = from + word.length
  const closed = [...closing].filter((one) => one > from && one < to)
  const quote = /^[A-Za-z_][\w.]*:(?=["“„«'[])/.exec(word)?.[0].length
  return token('word', Math.min(to, ...closed, quote === undefined ? to : from + quote))
}

function quotedAt(text: string, from: number): Token {
  const close = QUOTES[text.charAt(from)] ?? '"'
  let said = ''
  let at = from + 1
  while (at < text.length && text.charAt(at) !== close) {
    if (text.charAt(at) === '\\' && at + 1 < text.length) at += 1
    said += text.charAt(at)
    at += 1
  }
  return { kind: 'quoted', text: said, from, to: Math.min(at + 1, text.length) }
}

/** Behind the bracket that closes the one here, those in strings aside; the end of the text where there is none. */
function endOfJson(text: string, from: number): number {
  let depth = 0
  for (const { 0: piece, index } of text.slice(from).matchAll(/"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[{}[\]]/g)) {
    if ('{['.includes(piece)) depth += 1
    if ('}]'.includes(piece)) depth -= 1
    if (depth === 0) return from + index + piece.length
  }
  return text.length
}

/** Where the parenthesis that opens here is closed, when it holds several pieces and not a part of a formula; else null. */
function groupEnd(text: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === '(') depth += 1
    else if (text.charAt(at) === ')') depth -= 1
    if (depth > 0) continue
    const isFormula = !/[\s,;<>=]/.test(text.slice(from + 1, at).trim())
    return isFormula || !/^(?:[\s,;)]|$)/.test(text.slice(at + 1, at + 2)) ? null : at
  }
  return null
}
