import {
  calendarParts,
  DAY,
  dayOfWeek,
  dayOfYear,
  instantOf,
  isoDayOfWeek,
  isoWeek,
  isoWeekYear,
  localDay,
  localFromParts,
  localIsoDay,
  type Timezone,
  UTC,
  weekOfYear,
} from './calendar.ts'

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** Writers of the specifiers of a format; `offset` is in minutes. */
const SPECIFIERS: Readonly<Record<string, (local: number, offset: number) => string>> = {
  b: (local) => monthName(local).slice(0, 3),
  B: monthName,
  d: (local) => digits(calendarParts(local).day, 2),
  G: (local) => digits(isoWeekYear(local), 4),
  H: (local) => digits(calendarParts(local).hour, 2),
  j: (local) => digits(dayOfYear(local), 3),
  L: (local) => digits(calendarParts(local).millisecond, 3),
  m: (local) => digits(calendarParts(local).month, 2),
  M: (local) => digits(calendarParts(local).minute, 2),
  S: (local) => digits(calendarParts(local).second, 2),
  u: (local) => String(isoDayOfWeek(local)),
  U: (local) => digits(weekOfYear(local), 2),
  V: (local) => digits(isoWeek(local), 2),
  w: (local) => String(dayOfWeek(local)),
  Y: (local) => digits(calendarParts(local).year, 4),
  z: (_local, offset) => sign(offset) + digits(Math.floor(Math.abs(offset) / 60), 2) + digits(Math.abs(offset) % 60, 2),
  Z: (_local, offset) => String(offset),
  '%': () => '%',
}

/** Finds what in a format is no specifier: `%q`, or a lone `%` at the end; null when there is nothing. */
export function unknownSpecifier(format: string): string | null {
  const specifiers = format.match(/%.?/gsu) ?? []
  return specifiers.find((specifier) => !Object.hasOwn(SPECIFIERS, specifier.slice(1))) ?? null
}

/** Writes a local time in a format that `unknownSpecifier` has nothing against. */
export function formatDate(local: number, offsetMilliseconds: number, format: string): string {
  const minutes = Math.round(offsetMilliseconds / 60_000)
  return format.replace(/%(.)/gsu, (_whole, letter: string) => SPECIFIERS[letter]?.(local, minutes) ?? '')
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

function sign(value: number): string {
  return value < 0 ? '-' : '+'
}

function monthName(local: number): string {
  return MONTH_NAMES[calendarParts(local).month - 1] ?? ''
}

/** A date as a text tells it. */
export interface DateText {
  /** Milliseconds as if the clocks that the text means showed UTC. */
  readonly local: number
  /** Milliseconds that these clocks are ahead of UTC; null where the text does not say. */
  readonly offset: number | null
}

/** Longer than any date; no other text is looked at. */
const LONGEST = 64

const MONTH = '(?<name>[A-Za-z]{3,9})\\.?'
const DAY_TEXT = '(?<day>[0-9]{1,2})(?:st|nd|rd|th)?'
const WEEKDAY = '(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )?'
const TIME = '(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2})(?::(?<second>[0-9]{2})(?:[.,](?<fraction>[0-9]{1,9}))?)?'
const ZONE = '(?<zone>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)'
const REST = `(?:(?:T|,? +)${TIME}(?: *${ZONE})?)?`

/** `2018-03-20`, `2018/3/20`, `20180320`; `March 20th, 2018`; `Tue, 20 Mar 2018`: each with a time and a zone after it. */
const FORMS: readonly RegExp[] = [
  '(?<year>[0-9]{4})(?<between>[-/])(?<month>[0-9]{1,2})\\k<between>(?<day>[0-9]{1,2})',
  '(?<year>[0-9]{4})(?<month>[0-9]{2})(?<day>[0-9]{2})',
  `${WEEKDAY}${MONTH} ${DAY_TEXT},? (?<year>[0-9]{4})`,
  `${WEEKDAY}${DAY_TEXT}[ -]${MONTH},?[ -](?<year>[0-9]{4})`,
].map((date) => new RegExp(`^${date}${REST}$`, 'i'))

/** Reads a date as people and programs write it: ISO 8601, months by name, a mail's header. Null for all else, and for `4/7/2018`. */
export function readDateText(text: string): DateText | null {
  if (text.length > LONGEST) return null
  for (const form of FORMS) {
    const found = form.exec(text.trim())?.groups
    if (found !== undefined) return dateOf(found)
  }
  return null
}

function dateOf(found: Readonly<Record<string, string | undefined>>): DateText | null {
  const { year, day, hour = '0', minute = '0', second = '0', fraction = '', zone } = found
  const month = found.name === undefined ? Number(found.month) : monthNamed(found.name)
  const midnight = localDay(Number(year), month, Number(day))
  const read = calendarParts(midnight)
  if (read.month !== month || read.day !== Number(day)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return {
    local: midnight + time + Number(fraction.padEnd(3, '0').slice(0, 3)),
    offset: zone === undefined ? null : zoneOffset(zone),
  }
}

/** The number of a month by its name or the first three letters of it; NaN, which is no month, for all else. */
function monthNamed(text: string): number {
  const wanted = text.toLowerCase()
  const index = MONTH_NAMES.findIndex((name) => [name, name.slice(0, 3)].some((form) => form.toLowerCase() === wanted))
  return index < 0 ? Number.NaN : index + 1
}

function zoneOffset(zone: string): number {
  if (/^[a-z]/i.test(zone)) return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''))
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

/** Numbers found in a text by specifier. `zone` is in minutes. */
type SpecifierNumbers = Readonly<Record<string, number>>

/** Readers of specifiers: the pattern of the text, and the number that it stands for. */
const PARSED_SPECIFIERS: Readonly<Record<string, readonly [pattern: string, read: (text: string) => number]>> = {
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
  z: ['Z|[+-][0-9]{2}(?::?[0-9]{2})?', (text) => zoneOffset(text) / 60_000],
  Z: ['[+-][0-9]{1,4}', (text) => signed(text, Number(text.slice(1)))],
}

/** The largest value that each part of a day can have. */
const LIMITS: Readonly<Record<string, number>> = { H: 23, M: 59, S: 59, L: 999, V: 53, j: 366, m: 12, d: 31 }

/** Finds what in a format cannot be read; null when there is nothing. */
export function unreadableSpecifier(format: string): string | null {
  const specifiers = format.match(/%.?/gsu) ?? []
  return specifiers.find((found) => found !== '%%' && !Object.hasOwn(PARSED_SPECIFIERS, found.slice(1))) ?? null
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

function readByFormat(text: string, format: string): SpecifierNumbers | null {
  const found: Record<string, number> = {}
  let rest = text
  for (const token of format.match(/%.|[^%]/gsu) ?? []) {
    const specifier = token.length > 1 && token !== '%%' ? PARSED_SPECIFIERS[token.slice(1)] : undefined
    const expected = token === '%%' ? '%' : token
    const matched = specifier === undefined ? expected : new RegExp(`^(?:${specifier[0]})`).exec(rest)?.[0]
    if (matched === undefined || !rest.startsWith(matched)) return null
    if (specifier !== undefined) found[token.slice(1)] = specifier[1](matched)
    rest = rest.slice(matched.length)
  }
  return rest === '' && !Object.values(found).some(Number.isNaN) ? found : null
}

/** A day is year, month and day; year and day of the year; or ISO year, week and weekday. Half of one is none. */
function dayFrom({ Y, G, V, u, j, d, ...found }: SpecifierNumbers): number | null {
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

function signed(text: string, value: number): number {
  return text.startsWith('-') ? -value : value
}
