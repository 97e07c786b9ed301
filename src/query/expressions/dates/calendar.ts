/**
 * The calendar over local times: milliseconds as if the local clock showed UTC. All functions are of the proleptic Gregorian
 * calendar; weeks of the `iso` functions begin on Monday, https://en.wikipedia.org/wiki/ISO_week_date.
 */

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

/** Takes a local time apart. */
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

/** Number of days in a month. */
export function daysInMonth(year: number, month: number): number {
  return calendarParts(localDay(year, month + 1, 0)).day
}

function thursdayOfWeek(local: number): number {
  return local + (4 - isoDayOfWeek(local)) * DAY
}
