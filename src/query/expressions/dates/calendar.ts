// Calendar over local times, milliseconds as if the clock showed UTC: proleptic Gregorian; weeks of `iso` functions begin on Monday.

export const DAY = 86_400_000

export interface CalendarParts {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
}

export function calendarParts(local: number): CalendarParts {
  const date = new Date(local)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  }
}

/** Puts a local time together; parts beyond their range carry over, so that month 14 is February of the next year. */
export function localFromParts(parts: CalendarParts): number {
  const { year, month, day, hour, minute, second, millisecond } = parts
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day)
  return midnight + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
}

/** Midnight of a day, which may lie beyond its month. */
export function localDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

/** 1 to 366. */
export function dayOfYear(local: number): number {
  return Math.floor((local - localDay(calendarParts(local).year, 1, 1)) / DAY) + 1
}

/** 1 (Sunday) to 7 (Saturday). */
export function dayOfWeek(local: number): number {
  return new Date(local).getUTCDay() + 1
}

/** 1 (Monday) to 7 (Sunday). */
export function isoDayOfWeek(local: number): number {
  return ((new Date(local).getUTCDay() + 6) % 7) + 1
}

/** 0 to 53; weeks begin on Sunday, and the days before the first Sunday are in week 0. */
export function weekOfYear(local: number): number {
  return Math.floor((dayOfYear(local) + 7 - dayOfWeek(local)) / 7)
}

/** The year that the ISO week belongs to: that of its Thursday. */
export function isoWeekYear(local: number): number {
  return calendarParts(thursdayOfWeek(local)).year
}

/** 1 to 53. */
export function isoWeek(local: number): number {
  return Math.ceil(dayOfYear(thursdayOfWeek(local)) / 7)
}

/** Midnight of a day of an ISO week; 4 January is always in week 1. */
export function localIsoDay(weekYear: number, week: number, weekday: number): number {
  const fourth = localDay(weekYear, 1, 4)
  return fourth + ((week - 1) * 7 + weekday - isoDayOfWeek(fourth)) * DAY
}

export function daysInMonth(year: number, month: number): number {
  return calendarParts(localDay(year, month + 1, 0)).day
}

function thursdayOfWeek(local: number): number {
  return local + (4 - isoDayOfWeek(local)) * DAY
}

/** A time zone: how far local time is ahead of UTC, in milliseconds, at an instant. */
export interface Timezone {
  /** A zone with a name may change its clocks, and takes long to ask. */
  readonly isNamed: boolean
  offsetAt(instant: number): number
}

export const UTC: Timezone = { isNamed: false, offsetAt: () => 0 }

const MINUTE = 60_000

/** Zones by name; there are a few hundred names, and unknown ones are not kept. */
const knownZones = new Map<string, Timezone>()

/** Reads an offset (`+05:30`, `-0800`, `+03`), `UTC`, `GMT`, `Z` or an Olson name (`Europe/Berlin`); null for all else. */
export function readTimezone(text: string): Timezone | null {
  if (text === 'UTC' || text === 'GMT' || text === 'Z') return UTC
  const offset = /^([+-])([0-9]{2})(?::?([0-9]{2}))?$/.exec(text)
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0)
    const milliseconds = (offset[1] === '-' ? -minutes : minutes) * MINUTE
    return { isNamed: false, offsetAt: () => milliseconds }
  }
  return /^[A-Za-z][A-Za-z0-9_+/-]{1,63}$/.test(text) ? readNamedZone(text) : null
}

/** Finds the instant at which the clocks of a zone show a local time; a time that they skip is the instant after the gap. */
export function instantOf(local: number, zone: Timezone): number {
  const guess = local - zone.offsetAt(local)
  return local - zone.offsetAt(guess)
}

function readNamedZone(name: string): Timezone | null {
  const known = knownZones.get(name)
  if (known !== undefined) return known
  const clock = clockOf(name)
  if (clock === null) return null
  const zone: Timezone = {
    isNamed: true,
    offsetAt: (instant) => localTime(clock, instant) - Math.floor(instant / 1000) * 1000,
  }
  knownZones.set(name, zone)
  return zone
}

function clockOf(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-u-ca-iso8601', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    // The only way in which Intl says that it does not know a zone.
    return null
  }
}

function localTime(clock: Intl.DateTimeFormat, instant: number): number {
  const shown: Record<string, number> = {}
  for (const { type, value } of clock.formatToParts(instant)) shown[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000
}
