import { show } from '../../context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { type CallSite, describe, textFrom } from '../language/arguments.ts'
import { type ExpressionEnvironment, spend } from '../language/environment.ts'
import { recordInstant } from '../language/read-value.ts'
import { readTimezone, type Timezone, UTC } from './calendar.ts'
import { DATE_UNITS, type DateUnit, readWeekday } from './date-unit.ts'

/** Insists on an instant, as milliseconds: a date, or the text of one as records keep it. */
export function instantFrom(value: ExpressionValue, site: CallSite, what = 'date'): number {
  const date = recordInstant(value)
  if (date !== null) return date.getTime()
  throw site.fail(`needs a date as ${what}, given ${describe(value)}`, 'Convert with $toDate or $dateFromString.')
}

/** Asking the clocks of a named zone takes as long as this many steps. */
const STEPS_TO_ASK_ZONE = 50

/** Reads a time zone; missing is UTC. */
export function zoneFrom(value: ExpressionValue, site: CallSite, environment: ExpressionEnvironment): Timezone {
  if (value === undefined) return UTC
  const text = textFrom(value, site, 'timezone')
  const zone = readTimezone(text)
  if (zone === null) {
    const hint = 'Use an offset such as "+01:00" or a name such as "Europe/Berlin".'
    throw site.fail(`does not know the timezone ${show(text)}`, hint)
  }
  if (zone.isNamed) spend(environment, STEPS_TO_ASK_ZONE, site.place)
  return zone
}

export function unitFrom(value: ExpressionValue, site: CallSite): DateUnit {
  const text = textFrom(value, site, 'unit')
  const unit = DATE_UNITS.find((known) => known === text)
  if (unit !== undefined) return unit
  throw site.fail(`does not know the unit ${show(text)}; it knows ${DATE_UNITS.join(', ')}`)
}

/** Reads the day on which weeks begin, 0 for Sunday, which is also what missing stands for. Only weeks ask for it. */
export function weekStartFrom(value: ExpressionValue, site: CallSite): number {
  if (value === undefined) return 0
  const text = textFrom(value, site, 'startOfWeek')
  const weekday = readWeekday(text)
  if (weekday !== null) return weekday
  throw site.fail(`does not know the weekday ${show(text)}`)
}

/** Makes a number whole milliseconds; halves go away from zero, whichever way a date is moved. */
export function wholeMilliseconds(milliseconds: number): number {
  return Math.sign(milliseconds) * Math.round(Math.abs(milliseconds))
}

/** Makes a date of milliseconds, unless they are beyond all dates. */
export function dateAt(instant: number, site: CallSite): Date {
  const date = new Date(instant)
  if (!Number.isNaN(date.getTime())) return date
  throw site.fail('leaves the range of dates')
}
