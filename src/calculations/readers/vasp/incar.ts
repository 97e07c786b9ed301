import { type Json, type JsonObject, setOwnField } from '../../../kernel/json.ts'
import { readNumber, wordsOf } from '../../../structure/formats/common/text.ts'
import { readPieces } from '../../output-lines.ts'

const MOST_TAGS = 500
/** Characters of lines that go on. */
const LONGEST = 64 * 1024
/** Values that a repetition (`8*0.6`) makes at most. */
const MOST_VALUES = 100_000
/** Tags whose value is a text, whatever it looks like. */
const TEXTS = new Set(['SYSTEM', 'ALGO', 'PREC', 'GGA', 'METAGGA'])

/** Reads an INCAR: tags in capitals, with numbers, truth values, texts, or lists of these. */
export function readIncar(pieces: Iterable<string>): JsonObject {
  const tags: Record<string, Json> = {}
  let begun: string[] = []
  let length = 0
  const read = (): void => {
    readIncarLine(begun.join(' '), tags)
    begun = []
    length = 0
  }
  readPieces(pieces, (line) => {
    const text = line.trimEnd()
    const goesOn = text.endsWith('\\')
    begun.push(goesOn ? text.slice(0, -1) : text)
    length += text.length
    if (!goesOn || length > LONGEST) read()
  })
  read()
  return tags
}

/** Reads the tags of a line, which are apart by semicolons; what is behind `#` or `!` is a comment. VASP takes the first one of a name. */
export function readIncarLine(line: string, tags: Record<string, Json>): void {
  for (const part of line.replace(/[#!].*$/, '').split(';')) {
    const [, name = '', value = ''] = /^\s*([A-Za-z]\w*)\s*=\s*(.*)$/.exec(part) ?? []
    const tag = name.toUpperCase()
    if (tag === '' || Object.hasOwn(tags, tag) || Object.keys(tags).length >= MOST_TAGS) continue
    setOwnField(tags, tag, valueOfText(tag, value.trim()))
  }
}

function valueOfText(tag: string, text: string): Json {
  if (TEXTS.has(tag)) return text
  const values = wordsOf(text).flatMap(valuesOfWord)
  const isList = values.length > 1 && values.every((value) => typeof value !== 'string')
  return isList ? values : values.length === 1 ? (values[0] ?? '') : text
}

/** Value of a word; several of `8*0.6`. */
function valuesOfWord(word: string): readonly Json[] {
  const [, times, repeated] = /^(\d{1,6})\*(\S+)$/.exec(word) ?? []
  const value = repeated === undefined ? undefined : readNumber(repeated)
  if (times !== undefined && value !== undefined && Number(times) <= MOST_VALUES)
    return new Array<number>(Number(times)).fill(value)
  if (/^\.?t(?:rue)?\.?$/i.test(word)) return [true]
  if (/^\.?f(?:alse)?\.?$/i.test(word)) return [false]
  return [readNumber(word) ?? word]
}
