import { isClosed, type Token, textOf, tokensOf } from '../query/json-tokens.ts'

/** What stands where the cursor is, in a JSON text that need not be complete. */
export interface JsonCursor {
  /** `end` where nothing can be written but what separates or closes. */
  readonly place: 'key' | 'value' | 'end'
  /** The keys and indexes that lead to the object of the key, or to the value. */
  readonly path: readonly (string | number)[]
  /** What is being typed, from its quote to its end. */
  readonly from: number
  readonly to: number
  /** What it says up to the cursor. */
  readonly typed: string
  readonly quote: '' | '"' | "'"
  /** Whether a colon follows. */
  readonly hasColon: boolean
  /** Which keys the object of a key has elsewhere. */
  readonly keys: readonly string[]
}

/** An object or array that is open at the cursor. */
interface Frame {
  readonly isArray: boolean
  readonly keys: string[]
  index: number
  key: string | null
  expects: 'key' | 'colon' | 'value' | 'end'
}

export function cursorIn(text: string, position: number): JsonCursor {
  const tokens = tokensOf(text)
  const edited = tokens.find((token) => isEdited(text, token, position))
  const { from, to } = edited ?? { from: position, to: position }
  const outside: Frame = { isArray: false, keys: [], index: 0, key: null, expects: 'value' }
  const frames = [outside]
  for (const token of tokens) {
    if (token === edited || token.from >= position) break
    take(frames, token, text)
  }
  const { expects, keys } = frames.at(-1) ?? outside
  const first = text.charAt(from)
  return {
    place: expects === 'colon' ? 'end' : expects,
    path: pathOf(frames),
    from,
    to,
    typed: edited === undefined ? '' : textOf(text.slice(from, position)),
    quote: edited !== undefined && (first === '"' || first === "'") ? first : '',
    hasColon: tokens.find((token) => token.from >= to)?.kind === ':',
    keys: expects === 'key' ? [...keys, ...keysAfter(tokens, text, to)] : [],
  }
}

function isEdited(text: string, { kind, from, to }: Token, position: number): boolean {
  if (kind === 'word') return from < position && position <= to
  if (kind !== 'string' || from >= position) return false
  return position < to || (position === to && !isClosed(text.slice(from, to)))
}

function take(frames: Frame[], { kind, from, to }: Token, text: string): void {
  const top = frames.at(-1)
  if (kind === '{' || kind === '[') {
    const isArray = kind === '['
    frames.push({ isArray, keys: [], index: 0, key: null, expects: isArray ? 'value' : 'key' })
  } else if (kind === '}' || kind === ']') {
    if (frames.length > 1) frames.pop()
    const above = frames.at(-1)
    if (above !== undefined) above.expects = 'end'
  } else if (top !== undefined) takeInside(top, kind, text.slice(from, to))
}

function takeInside(top: Frame, kind: Token['kind'], piece: string): void {
  if (kind === ':') top.expects = 'value'
  else if (kind === ',') {
    top.index += 1
    top.key = null
    top.expects = top.isArray ? 'value' : 'key'
  } else if (top.expects === 'key') {
    top.key = textOf(piece)
    top.keys.push(top.key)
    top.expects = 'colon'
  } else top.expects = 'end'
}

function pathOf(frames: readonly Frame[]): readonly (string | number)[] {
  const steps = frames.map(({ isArray, index, key }) => (isArray ? index : key))
  return steps.filter((step) => step !== null)
}

/** The keys that the object of the cursor has after it. */
function keysAfter(tokens: readonly Token[], text: string, position: number): readonly string[] {
  const keys: string[] = []
  let depth = 0
  for (const [index, { kind, from, to }] of tokens.entries()) {
    if (from < position) continue
    if (kind === '{' || kind === '[') depth += 1
    else if (kind === '}' || kind === ']') depth -= 1
    else if (depth === 0 && tokens[index + 1]?.kind === ':') keys.push(textOf(text.slice(from, to)))
    if (depth < 0) break
  }
  return keys
}
