import { calendarParts, DAY, localDay, localFromParts, localIsoDay } from './calendar.ts'
import { MONTH_NAMES } from './format-date.ts'
import { readDateText } from './read-date-text.ts'
import { instantOf, type Timezone, UTC } from './timezone.ts'

/** What a format found in a text, by specifier. `zone` is in minutes. */
type Found = Readonly<Record<string, number>>

/** How each specifier reads: the pattern of its text, and the number that it stands for. */
const SPECIFIERS: Readonly<Record<string, readonly [pattern: string, read: (text: string) => number]>> = {
  b: ['[A-Za-z]{3}', (text) => monthNumber(text, 3)],
  B: ['[A-Za-z]{3,9}', (text) => monthNumber(text, 9)],
  d: ['[0-9]{1,2}', Number],
  G: ['[0-9]{4}', Number],
  H: ['[0-9]{1,2}', Number],
  j: ['[0-9]{1,3}', Number],
  L: ['[0-9]{1,3}', (text) => Number(text.padEnd(3, '0'))],
  m: ['[0-9]{1,2}', Number],
  M: ['[0-9]{1,2}', Number],
  S: ['[0-9]{1,2}', Number],
  u: ['[1-7]', Number],
  V: ['[0-9]{1,2}', Number],
  Y: ['[0-9]{4}', Number],
  z: ['Z|[+-][0-9]{2}(?::?[0-9]{2})?', zoneMinutes],
  Z: ['[+-][0-9]{1,4}', (text) => signed(text, Number(text.slice(1)))],
}

/** The largest value that each part of a day can have. */
const LIMITS: Readonly<Record<string, number>> = { H: 23, M: 59, S: 59, L: 999, V: 53, j: 366, m: 12, d: 31 }

/** Finds what in a format cannot be read; null when there is nothing. */
export function unreadableSpecifier(format: string): string | null {
  const specifiers = format.match(/%.?/gsu) ?? []
  return specifiers.find((found) => found !== '%%' && !Object.hasOwn(SPECIFIERS, found.slice(1))) ?? null
}

/** Reads an instant without being told a format; `zone` is for texts that name none, and not for others. */
export function parseDateText(text: string, zone: Timezone | null): number | null {
  const found = readDateText(text)
  if (found === null) return null
  if (found.offset === null) return instantOf(found.local, zone ?? UTC)
  return zone === null ? found.local - found.offset : null
}

/** Reads an instant in a format that `unreadableSpecifier` has nothing against; null when text and format do not agree. */
export function parseDateByFormat(text: string, format: string, zone: Timezone | null): number | null {
  const found = readByFormat(text, format)
  if (found === null) return null
  for (const [letter, most] of Object.entries(LIMITS)) if ((found[letter] ?? 0) > most) return null
  const day = dayFrom(found)
  if (day === null) return null
  const { H = 0, M = 0, S = 0, L = 0 } = found
  const local = localFromParts({ ...calendarParts(day), hour: H, minute: M, second: S, millisecond: L })
  const offset = found.z ?? found.Z
  if (offset === undefined) return instantOf(local, zone ?? UTC)
  return zone === null ? local - offset * 60_000 : null
}

function readByFormat(text: string, format: string): Found | null {
  const found: Record<string, number> = {}
  let rest = text
  for (const token of format.match(/%.|[^%]/gsu) ?? []) {
    const specifier = token.length > 1 && token !== '%%' ? SPECIFIERS[token.slice(1)] : undefined
    const expected = token === '%%' ? '%' : token
    const matched = specifier === undefined ? expected : new RegExp(`^(?:${specifier[0]})`).exec(rest)?.[0]
    if (matched === undefined || !rest.startsWith(matched)) return null
    if (specifier !== undefined) found[token.slice(1)] = specifier[1](matched)
    rest = rest.slice(matched.length)
  }
  return rest === '' && !Object.values(found).some(Number.isNaN) ? found : null
}

/** A day is year, month and day; year and day of the year; or ISO year, week and weekday. Half of one is none. */
function dayFrom({ Y, G, V, u, j, d, ...found }: Found): number | null {
  const m = found.m ?? found.b ?? found.B
  const isIso = G !== undefined || V !== undefined || u !== undefined
  const isPlain = Y !== undefined || m !== undefined || d !== undefined || j !== undefined
  if (isIso && isPlain) return null
  if (G !== undefined) return localIsoDay(G, V ?? 1, u ?? 1)
  if (Y === undefined) return null
  if (j !== undefined) return m === undefined && d === undefined && j > 0 ? localDay(Y, 1, 1) + (j - 1) * DAY : null
  if (m === undefined || d === undefined) return null
  const day = localDay(Y, m, d)
  const read = calendarParts(day)
  return read.month === m && read.day === d ? day : null
}

function monthNumber(text: string, length: number): number {
  const index = MONTH_NAMES.findIndex((name) => name.slice(0, length).toLowerCase() === text.toLowerCase())
  return index < 0 ? Number.NaN : index + 1
}

function zoneMinutes(text: string): number {
  if (text === 'Z') return 0
  return signed(text, Number(text.slice(1, 3)) * 60 + Number(text.slice(3).replace(':', '')))
}

function signed(text: string, value: number): number {
  return text.startsWith('-') ? -value : value
}
