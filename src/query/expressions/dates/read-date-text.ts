import { calendarParts, localDay } from './calendar.ts'
import { MONTH_NAMES } from './format-date.ts'

/** A date as a text tells it. */
export interface DateText {
  /** Milliseconds as if the clocks that the text means showed UTC. */
  readonly local: number
  /** How far these clocks are ahead of UTC, in milliseconds; null where the text does not say. */
  readonly offset: number | null
}

/** Longer than any date; no other text is looked at. */
const LONGEST = 64

const MONTH = '(?<name>[A-Za-z]{3,9})\\.?'
const DAY = '(?<day>[0-9]{1,2})(?:st|nd|rd|th)?'
const WEEKDAY = '(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? )?'
const TIME = '(?<hour>[0-9]{1,2}):(?<minute>[0-9]{2})(?::(?<second>[0-9]{2})(?:[.,](?<fraction>[0-9]{1,9}))?)?'
const ZONE = '(?<zone>Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)'
const REST = `(?:(?:T|,? +)${TIME}(?: *${ZONE})?)?`

/** `2018-03-20`, `2018/3/20`, `20180320`; `March 20th, 2018`; `Tue, 20 Mar 2018`: each with a time and a zone after it. */
const FORMS: readonly RegExp[] = [
  '(?<year>[0-9]{4})(?<between>[-/])(?<month>[0-9]{1,2})\\k<between>(?<day>[0-9]{1,2})',
  '(?<year>[0-9]{4})(?<month>[0-9]{2})(?<day>[0-9]{2})',
  `${WEEKDAY}${MONTH} ${DAY},? (?<year>[0-9]{4})`,
  `${WEEKDAY}${DAY}[ -]${MONTH},?[ -](?<year>[0-9]{4})`,
].map((date) => new RegExp(`^${date}${REST}$`, 'i'))

/**
 * Reads a date from text as people and programs write it: ISO 8601 with T or a space, the months by their names, the header of
 * a mail. Null for all else: what could mean two days (`4/7/2018`), or a day that no month has, is not guessed at.
 */
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
