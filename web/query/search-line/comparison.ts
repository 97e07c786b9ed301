import type { Condition, OpenEnds, Scalar } from '../conditions.ts'
import type { Cursor } from './cursor.ts'
import type { NamedField } from './field-names.ts'
import { converted, inUnit, NUMBER, numberAt, numberOf, unitAt, unitInWords, WITH_UNIT } from './quantity.ts'

type Sign = '>' | '<' | '>=' | '<=' | '=' | '!='

/** Words in the place of signs. */
const SPOKEN: readonly (readonly [words: string, sign: Sign])[] = [
  ['greater than', '>'],
  ['more than', '>'],
  ['larger than', '>'],
  ['higher than', '>'],
  ['above', '>'],
  ['over', '>'],
  ['less than', '<'],
  ['fewer than', '<'],
  ['smaller than', '<'],
  ['lower than', '<'],
  ['below', '<'],
  ['under', '<'],
  ['at least', '>='],
  ['at most', '<='],
]

const BETWEEN = new RegExp(`^(${NUMBER})(?:-|–|\\.\\.|…)(${NUMBER})(.*)$`)
const DATE = /^\d{4}(?:-\d\d){0,2}(?:T[\d:.Z]*)?$/

/** What follows the name of a field: a sign and a value, `between` two, or a number alone; null where there is nothing of the kind. */
export function readComparison(cursor: Cursor, field: NamedField): Condition | null {
  const sign = readSign(cursor)
  if (sign !== null) return compared(cursor, field, sign)
  return rangeAt(cursor, field) ?? equalAt(cursor, field)
}

/** `1 < gap < 3 eV`: what stands before the name, which is then read by the reader of names. */
export function readReversed(cursor: Cursor, nameAt: (cursor: Cursor) => NamedField | null): Condition | null {
  const start = cursor.at
  const low = WITH_UNIT.exec(cursor.next?.text ?? '')
  const sign = cursor.peek(1)
  if (cursor.next?.kind !== 'word' || low === null || sign?.kind !== 'sign' || !isOrder(sign.text)) return null
  cursor.at += 2
  const field = nameAt(cursor)
  if (field === null) {
    cursor.at = start
    return null
  }
  const first: Side = { sign: TURNED[sign.text], value: numberOf(low[1]) }
  const unit = low[2] ?? ''
  const next = signAt(cursor)
  if (!isOrder(next)) return rangeOf(cursor, field, [{ ...first, value: inUnit(cursor, first.value, unit, field) }])
  cursor.at += 1
  return range(cursor, field, [first, { sign: next, ...numberAt(cursor) }], unit)
}

type Order = '>' | '<' | '>=' | '<='
const TURNED: Readonly<Record<Order, Order>> = { '>': '<', '<': '>', '>=': '<=', '<=': '>=' }

function isOrder(sign: string): sign is Order {
  return Object.hasOwn(TURNED, sign)
}

function signAt({ next }: Cursor): string {
  return next?.kind === 'sign' ? next.text : ''
}

/** One end of a range. */
interface Side {
  readonly sign: Order
  readonly value: number
}

function readSign(cursor: Cursor): Sign | null {
  const { next } = cursor
  if (next?.kind === 'sign') {
    cursor.at += 1
    return next.text as Sign
  }
  return SPOKEN.find(([words]) => cursor.take(words))?.[1] ?? null
}

function compared(cursor: Cursor, field: NamedField, sign: Sign): Condition {
  if (!isOrder(sign)) {
    const equal = sign === '=' ? (rangeAt(cursor, field) ?? equalAt(cursor, field) ?? textAt(cursor, field)) : null
    return equal ?? { kind: 'noneOf', conditions: [equalAt(cursor, field) ?? textAt(cursor, field)] }
  }
  const { path } = field
  if (path.endsWith('At') && DATE.test(cursor.next?.text ?? '')) {
    const operator = { '>': '$gt', '<': '$lt', '>=': '$gte', '<=': '$lte' }[sign]
    cursor.at += 1
    return { kind: 'other', query: { [path]: { [operator]: cursor.peek(-1)?.text } } }
  }
  const first: Side = { sign, ...numberAt(cursor) }
  const unit = unitAt(cursor, field)
  const behind = cursor.at
  if (!cursor.take('and') && !cursor.take('&') && cursor.next?.kind === 'comma') cursor.at += 1
  const other = signAt(cursor)
  if (isOrder(other) && other.charAt(0) !== sign.charAt(0)) {
    cursor.at += 1
    return range(cursor, field, [first, { sign: other, ...numberAt(cursor) }], unit)
  }
  cursor.at = behind
  return rangeOf(cursor, field, [{ ...first, value: inUnit(cursor, first.value, unit, field) }])
}

/** Two ends, the second with its unit, which is that of the first where that has none. */
function range(cursor: Cursor, field: NamedField, [low, high]: readonly [Side, Side], unit: string): Condition {
  const second = unitAt(cursor, field)
  const value = inUnit(cursor, high.value, second || unit, field)
  return rangeOf(cursor, field, [
    { ...low, value: inUnit(cursor, low.value, unit || second, field) },
    { ...high, value },
  ])
}

function rangeOf(cursor: Cursor, { path }: NamedField, sides: readonly Side[]): Condition {
  const low = sides.find(({ sign }) => sign.startsWith('>'))
  const high = sides.find(({ sign }) => sign.startsWith('<'))
  if (low !== undefined && high !== undefined && low.value > high.value)
    throw cursor.refused(`Nothing is above ${low.value} and below ${high.value}`, cursor.peek(-1))
  const ends = [low?.sign === '>' ? 'min' : '', high?.sign === '<' ? 'max' : ''].filter((end) => end !== '')
  const open = (ends.length > 1 ? 'both' : ends[0]) as OpenEnds | undefined
  return {
    kind: 'range',
    path,
    min: low?.value ?? null,
    max: high?.value ?? null,
    ...(open === undefined ? {} : { open }),
  }
}

function rangeAt(cursor: Cursor, field: NamedField): Condition | null {
  const start = cursor.at
  if (cursor.take('between') || cursor.take('from')) {
    const low = numberAt(cursor)
    const unit = unitAt(cursor, field)
    if (!cursor.take('and') && !cursor.take('to')) throw cursor.refused('The end of the range is missing')
    return range(
      cursor,
      field,
      [
        { sign: '>=', ...low },
        { sign: '<=', ...numberAt(cursor) },
      ],
      unit,
    )
  }
  const match = cursor.next?.kind === 'word' ? BETWEEN.exec(cursor.next.text) : null
  if (match !== null) {
    cursor.at += 1
    const glued = match[3] ?? ''
    const unit = glued === '' ? unitInWords(cursor, field) : glued
    const sides = [
      { sign: '>=', value: inUnit(cursor, numberOf(match[1]), unit, field) },
      { sign: '<=', value: inUnit(cursor, numberOf(match[2]), unit, field) },
    ] as const
    return rangeOf(cursor, field, sides)
  }
  const [low, to] = [cursor.words(1), cursor.peek(1)]
  if (low !== null && WITH_UNIT.test(low) && /^(?:to|-|–|\.\.)$/i.test(to?.text ?? '') && to?.kind === 'word') {
    const first = numberAt(cursor)
    const unit = unitAt(cursor, field)
    cursor.at += 1
    return range(
      cursor,
      field,
      [
        { sign: '>=', ...first },
        { sign: '<=', ...numberAt(cursor) },
      ],
      unit,
    )
  }
  cursor.at = start
  return null
}

function equalAt(cursor: Cursor, field: NamedField): Condition | null {
  const match = cursor.next?.kind === 'word' ? WITH_UNIT.exec(cursor.next.text) : null
  if (match === null) return null
  const rest = match[2] ?? ''
  if (rest !== '' && converted(1, rest, field) === null) return null
  const { value } = numberAt(cursor)
  return valuesOf(field.path, inUnit(cursor, value, unitAt(cursor, field), field))
}

const CONSTANTS: ReadonlyMap<string, Scalar> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

function textAt(cursor: Cursor, { path }: NamedField): Condition {
  const { next } = cursor
  if (next?.kind !== 'word' && next?.kind !== 'quoted') throw cursor.refused('A value is missing')
  cursor.at += 1
  return valuesOf(path, next.kind === 'quoted' ? next.text : scalarOf(next.text))
}

/** The value that a word stands for where one is expected. */
export function scalarOf(text: string): Scalar {
  const constant = CONSTANTS.get(text)
  if (constant !== undefined) return constant
  return new RegExp(`^${NUMBER}$`).test(text) ? numberOf(text) : text
}

function valuesOf(path: string, value: Scalar): Condition {
  return { kind: 'values', path, values: [value] }
}
