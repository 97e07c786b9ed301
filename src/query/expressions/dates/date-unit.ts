import { calendarParts, DAY, daysInMonth, instantOf, localDay, type Timezone } from './calendar.ts'

/** The units of `$dateAdd`, `$dateDiff` and `$dateTrunc`: either so many milliseconds, days or months. */
const UNITS = {
  millisecond: { milliseconds: 1 },
  second: { milliseconds: 1_000 },
  minute: { milliseconds: 60_000 },
  hour: { milliseconds: 3_600_000 },
  day: { days: 1 },
  week: { days: 7 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { months: 12 },
} as const

export type DateUnit = keyof typeof UNITS

export const DATE_UNITS = Object.keys(UNITS) as readonly DateUnit[]

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** Year at which bins of `$dateTrunc` start. */
const REFERENCE_YEAR = 2000

/** Reads a day by its name or its first three letters: 0 is Sunday; null for all else. */
export function readWeekday(text: string): number | null {
  const name = text.toLowerCase()
  const index = WEEKDAYS.findIndex((weekday) => weekday === name || weekday.slice(0, 3) === name)
  return index < 0 ? null : index
}

/** Moves an instant; days and longer keep the local clock, and a day that the month lacks becomes its last. */
export function addUnits(instant: number, unit: DateUnit, amount: number, zone: Timezone): number {
  const size = UNITS[unit]
  if ('milliseconds' in size) return instant + amount * size.milliseconds
  const local = instant + zone.offsetAt(instant)
  const moved = 'days' in size ? local + amount * size.days * DAY : addMonths(local, amount * size.months)
  return instantOf(moved, zone)
}

/** Way to count time: in which unit, by which clocks, and on which day weeks begin. */
export interface TimeCount {
  readonly unit: DateUnit
  readonly zone: Timezone
  readonly weekStart: number
}

/** Counts the boundaries of a unit between two instants. */
export function diffUnits(from: number, to: number, { unit, zone, weekStart }: TimeCount): number {
  const size = UNITS[unit]
  const [offsetFrom, offsetTo] = [zone.offsetAt(from), zone.offsetAt(to)]
  if ('milliseconds' in size) {
    const { milliseconds } = size
    // A change of the clocks between the two is no time that has passed.
    const shift = Math.trunc((offsetTo - offsetFrom) / milliseconds)
    return Math.floor((to + offsetTo) / milliseconds) - Math.floor((from + offsetFrom) / milliseconds) - shift
  }
  const [localFrom, localTo] = [from + offsetFrom, to + offsetTo]
  if ('months' in size)
    return Math.floor(monthIndex(localTo) / size.months) - Math.floor(monthIndex(localFrom) / size.months)
  return bin(localTo, size.days, weekStart) - bin(localFrom, size.days, weekStart)
}

/** Moves an instant back to the start of its bin; bins are counted from the start of the year 2000. */
export function truncateToUnit(instant: number, binSize: number, { unit, zone, weekStart }: TimeCount): number {
  const size = UNITS[unit]
  if ('milliseconds' in size) {
    const start = instantOf(localDay(REFERENCE_YEAR, 1, 1), zone)
    const width = size.milliseconds * binSize
    return start + Math.floor((instant - start) / width) * width
  }
  const local = instant + zone.offsetAt(instant)
  if ('months' in size) {
    const first = REFERENCE_YEAR * 12
    const width = size.months * binSize
    const month = first + Math.floor((monthIndex(local) - first) / width) * width
    return instantOf(localDay(Math.floor(month / 12), (((month % 12) + 12) % 12) + 1, 1), zone)
  }
  const start = unit === 'week' ? firstWeekStart(weekStart) : localDay(REFERENCE_YEAR, 1, 1)
  const width = size.days * binSize * DAY
  return instantOf(start + Math.floor((local - start) / width) * width, zone)
}

function addMonths(local: number, months: number): number {
  const { year, month, day } = calendarParts(local)
  const index = year * 12 + month - 1 + months
  const [newYear, newMonth] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1]
  const timeOfDay = local - localDay(year, month, day)
  return localDay(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth))) + timeOfDay
}

function monthIndex(local: number): number {
  const { year, month } = calendarParts(local)
  return year * 12 + month - 1
}

/** The number of the day, or of the week that begins on `weekStart`; 4 January 1970 was a Sunday. */
function bin(local: number, days: number, weekStart: number): number {
  const day = Math.floor(local / DAY)
  return days === 1 ? day : Math.floor((day - 3 - weekStart) / days)
}

/** The first such weekday of the year 2000, which began on a Saturday. */
function firstWeekStart(weekStart: number): number {
  return localDay(REFERENCE_YEAR, 1, 1 + ((weekStart + 1) % 7))
}
