import { foldService, StreamLanguage, type StringStream } from '@codemirror/language'
import type { EditorState, Text } from '@codemirror/state'
import { tokensOf } from '../query/json-tokens.ts'

/** What is known of the text before a place. */
interface Level {
  depth: number
}

/** JSON as people type it: single quotes, keys without quotes, patterns. */
export const jsonLanguage = StreamLanguage.define<Level>({
  name: 'json',
  startState: () => ({ depth: 0 }),
  token: readToken,
  indent: ({ depth }, textAfter, { unit }) => (depth - (/^\s*[}\]]/.test(textAfter) ? 1 : 0)) * unit,
  languageData: { closeBrackets: { brackets: ['{', '[', '"', "'"] }, indentOnInput: /^\s*[}\]]$/ },
})

function readToken(stream: StringStream, level: Level): string | null {
  if (stream.eatSpace()) return null
  if (stream.match(/^[{[]/)) {
    level.depth += 1
    return 'bracket'
  }
  if (stream.match(/^[}\]]/)) {
    level.depth = Math.max(level.depth - 1, 0)
    return 'bracket'
  }
  if (stream.match(/^[,:]/)) return 'punctuation'
  if (stream.match(/^"(?:[^"\\]|\\.)*"?|^'(?:[^'\\]|\\.)*'?/)) return isKey(stream) ? keyOf(stream.current()) : 'string'
  if (stream.match(/^\/(?:[^/\\]|\\.)+\/[a-z]*/)) return 'regexp'
  stream.match(/^[^\s{}[\]:,"']+/)
  const word = stream.current()
  if (isKey(stream)) return keyOf(word)
  if (/^[-+.\d]/.test(word)) return 'number'
  return word === 'true' || word === 'false' ? 'bool' : word === 'null' ? 'null' : 'invalid'
}

function isKey({ string, pos }: StringStream): boolean {
  return /^\s*:/.test(string.slice(pos))
}

function keyOf(piece: string): string {
  return /^["']?\$/.test(piece) ? 'keyword' : 'propertyName'
}

/** From the end of each line on which something is opened and not closed to what closes it. */
export const foldsOfJson = foldService.of(({ doc }: EditorState, lineStart, lineEnd) => {
  const close = closingOf(doc).get(lineStart)
  return close === undefined || close <= lineEnd ? null : { from: lineEnd, to: close }
})

/** For each text, computed once: the starts of lines that open something, with the places that close it. */
const CLOSINGS = new WeakMap<Text, ReadonlyMap<number, number>>()

function closingOf(doc: Text): ReadonlyMap<number, number> {
  const known = CLOSINGS.get(doc)
  if (known !== undefined) return known
  const closings = new Map<number, number>()
  const opened: number[] = []
  for (const { kind, from } of tokensOf(doc.toString())) {
    if (kind === '{' || kind === '[') opened.push(from)
    else if (kind === '}' || kind === ']') {
      const start = opened.pop()
      if (start === undefined) continue
      const line = doc.lineAt(start)
      // Of several that a line opens, the innermost is closed first.
      if (from > line.to && !closings.has(line.from)) closings.set(line.from, from)
    }
  }
  CLOSINGS.set(doc, closings)
  return closings
}
