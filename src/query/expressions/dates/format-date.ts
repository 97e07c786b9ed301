import { calendarParts, dayOfWeek, dayOfYear, isoDayOfWeek, isoWeek, isoWeekYear, weekOfYear } from './calendar.ts'

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

/** What each specifier of a format writes; `offset` is in minutes. */
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
