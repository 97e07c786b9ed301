import { type Condition, queryOf } from '../conditions.ts'
import { quoted } from './meaning.ts'
import type { Piece } from './piece.ts'
import { readLine } from './read-line.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Pieces as a line that has them again. */
export function writeLine(pieces: readonly Pick<Piece, 'text'>[]): string {
  return pieces.map(({ text }) => text).join(', ')
}

/** A condition as a text that is read as it: as people write it where they do, else as JSON. */
export function writeCondition(condition: Condition, vocabulary: Vocabulary): string {
  const same = JSON.stringify(condition)
  const found = textsOf(condition, vocabulary).find((text) => {
    const reading = readLine(text, vocabulary)
    return 'pieces' in reading && reading.pieces.length === 1 && JSON.stringify(reading.pieces[0]?.condition) === same
  })
  return found ?? JSON.stringify(queryOf([condition]))
}

/** Texts that may be read as a condition, the shortest first. */
function textsOf(condition: Condition, vocabulary: Vocabulary): readonly string[] {
  switch (condition.kind) {
    case 'elements':
      return elementTexts(condition)
    case 'system':
      return [condition.symbols.join('-'), `system: ${condition.symbols.join('-')}`]
    case 'name':
      return [`name: ${condition.text}`, `name: ${quoted(condition.text)}`]
    case 'word':
      return [condition.text, quoted(condition.text), `prototype: ${condition.text}`]
    case 'form':
      return [condition.text]
    case 'values':
      return valueTexts(condition, vocabulary)
    case 'range':
      return rangeTexts(condition, vocabulary)
    case 'exists':
      return [`has ${titleOf(condition.path, vocabulary)}`, `has ${condition.path}`]
    case 'anyOf':
      return [condition.conditions.map((one) => inner(one, vocabulary)).join(' or ')]
    case 'noneOf':
      return [`not ${condition.conditions.map((one) => inner(one, vocabulary)).join(' or ')}`]
    default:
      return []
  }
}

function inner(condition: Condition, vocabulary: Vocabulary): string {
  if (condition.kind === 'allOf')
    return `(${condition.conditions.map((one) => writeCondition(one, vocabulary)).join(', ')})`
  const text = writeCondition(condition, vocabulary)
  return condition.kind === 'anyOf' || condition.kind === 'noneOf' || / or |, /.test(text) ? `(${text})` : text
}

function elementTexts({ mode, symbols }: Extract<Condition, { kind: 'elements' }>): readonly string[] {
  if (mode === 'any') return [symbols.join(' or ')]
  if (mode === 'none') return [symbols.map((symbol) => `not ${symbol}`).join(', ')]
  return [`${mode === 'only' ? 'only ' : ''}${symbols.join(', ')}`]
}

function valueTexts(
  { path, values }: Extract<Condition, { kind: 'values' }>,
  vocabulary: Vocabulary,
): readonly string[] {
  const title = titleOf(path, vocabulary)
  const [value] = values
  if (values.length > 1) return [values.map(String).join(' or '), `${path}: ${JSON.stringify(values)}`]
  const plain = String(value)
  const named = KEYS_OF[path] ?? []
  return [
    plain,
    ...named.map((name) => `${name}: ${plain}`),
    ...named.map((name) => `${name}: ${quoted(plain)}`),
    `${title} = ${plain}`,
    `${path}: ${plain}`,
    `${path}: ${quoted(plain)}`,
  ]
}

const KEYS_OF: Readonly<Record<string, readonly string[]>> = {
  formula: ['formula'],
  tags: ['tag'],
  _id: ['id'],
  'spaceGroup.number': ['space group'],
  'prototype.name': ['prototype'],
  'prototype.strukturbericht': ['strukturbericht'],
  'lattice.type': ['lattice'],
}

function rangeTexts(
  { path, min, max, open }: Extract<Condition, { kind: 'range' }>,
  vocabulary: Vocabulary,
): readonly string[] {
  const low = min === null ? '' : `${open === 'min' || open === 'both' ? '>' : '>='} ${min}`
  const high = max === null ? '' : `${open === 'max' || open === 'both' ? '<' : '<='} ${max}`
  const both = low === '' || high === '' ? low + high : `${low} and ${high}`
  return [`${titleOf(path, vocabulary)} ${both}`, `${path} ${both}`]
}

function titleOf(path: string, { aliases }: Vocabulary): string {
  return aliases.find((one) => one.path === path)?.title ?? path
}
