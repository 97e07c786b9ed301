import { isJsonObject } from '../../../kernel/json.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import {
  calendarParts,
  dayOfWeek,
  dayOfYear,
  instantOf,
  isoDayOfWeek,
  isoWeek,
  isoWeekYear,
  localFromParts,
  localIsoDay,
  type Timezone,
  weekOfYear,
} from '../dates/calendar.ts'
import { dateAt, instantFrom, zoneFrom } from '../dates/date-arguments.ts'
import { type CallSite, describe, integerFrom, type NamedInTurn } from '../language/arguments.ts'
import type { ExpressionEnvironment } from '../language/environment.ts'
import {
  type ArgumentNames,
  type ExpressionOperator,
  type OperatorGroup,
  overNamedInTurn,
  overOne,
  type Several,
} from '../language/operator.ts'
import { isNullish } from '../language/read-value.ts'

const PLAIN_PARTS = ['year', 'month', 'day'] as const
const ISO_PARTS = ['isoWeekYear', 'isoWeek', 'isoDayOfWeek'] as const
const TIME_PARTS = ['hour', 'minute', 'second', 'millisecond'] as const

/** The parts of a date, one by one or together. They take a date, or `{date, timezone}`. */
export const DATE_PARTS_OPERATORS: OperatorGroup = {
  $dateFromParts: oneOf(fromParts(ISO_PARTS), fromParts(PLAIN_PARTS), 'isoWeekYear'),

  $dateToParts: overNamedInTurn(['date'], ['timezone', 'iso8601'], (given, site, environment) => {
    const [date, timezone] = [given.value('date'), given.setting('timezone')]
    if (timezone === null) return null
    // A time zone that is none is an error even where there is no date to tell the parts of.
    const zone = zoneFrom(timezone, site, environment)
    const iso8601 = given.setting('iso8601')
    if (iso8601 === null) return null
    if (iso8601 !== undefined && typeof iso8601 !== 'boolean') {
      throw site.fail(`needs true or false as iso8601, given ${describe(iso8601)}`)
    }
    if (isNullish(date)) return null
    const local = localTime(instantFrom(date, site), zone)
    return iso8601 === true ? isoParts(local) : { ...calendarParts(local) }
  }),

  $dayOfMonth: part((local) => calendarParts(local).day),
  $dayOfWeek: part(dayOfWeek),
  $dayOfYear: part(dayOfYear),
  $hour: part((local) => calendarParts(local).hour),
  $isoDayOfWeek: part(isoDayOfWeek),
  $isoWeek: part(isoWeek),
  $isoWeekYear: part(isoWeekYear),
  $millisecond: part((local) => calendarParts(local).millisecond),
  $minute: part((local) => calendarParts(local).minute),
  $month: part((local) => calendarParts(local).month),
  $second: part((local) => calendarParts(local).second),
  $week: part(weekOfYear),
  $year: part((local) => calendarParts(local).year),
}

/** Beyond these a part is a mistake; within them it carries over. Of seconds and milliseconds there may be any number. */
const LEAST_PART = -32_768
const MOST_PART = 32_767
const UNBOUNDED: readonly string[] = ['second', 'millisecond']

function part(read: (local: number) => number): ExpressionOperator {
  const plain = overOne((date, site) => (isNullish(date) ? null : read(instantFrom(date, site))))
  const zoned = overNamedInTurn(['date'], ['timezone'], (given, site, environment) => {
    const date = given.value('date')
    if (isNullish(date)) return null
    const instant = instantFrom(date, site)
    const timezone = given.setting('timezone')
    return timezone === null ? null : read(localTime(instant, zoneFrom(timezone, site, environment)))
  })
  return oneOf(zoned, plain, 'date')
}

/** An operator that has two forms: the first where its operand names a certain argument. */
function oneOf(
  first: ExpressionOperator<Several, ArgumentNames>,
  second: ExpressionOperator<Several, ArgumentNames> | ExpressionOperator<Several, null>,
  name: string,
): ExpressionOperator<Several, ArgumentNames | null> {
  return {
    parse: (operand, site) =>
      (isJsonObject(operand) && Object.hasOwn(operand, name) ? first : second).parse(operand, site),
    compile: (args, names, site) =>
      names?.includes(name)
        ? first.compile(args, names, site)
        : (second as ExpressionOperator<Several, ArgumentNames | null>).compile(args, names, site),
  }
}

function localTime(instant: number, zone: Timezone): number {
  return instant + zone.offsetAt(instant)
}

function isoParts(local: number): ExpressionValue {
  const { hour, minute, second, millisecond } = calendarParts(local)
  const day = { isoWeekYear: isoWeekYear(local), isoWeek: isoWeek(local), isoDayOfWeek: isoDayOfWeek(local) }
  return { ...day, hour, minute, second, millisecond }
}

function fromParts(parts: typeof ISO_PARTS | typeof PLAIN_PARTS): ExpressionOperator<Several, ArgumentNames> {
  const [required, ...optional] = parts
  const names = [...optional, ...TIME_PARTS, 'timezone']
  return overNamedInTurn([required as string], names, (given, site, environment) =>
    dateFromParts(given, parts === ISO_PARTS, site, environment),
  )
}

/** The time first, then the time zone, then the day: the first of them that is null makes null. */
function dateFromParts(
  given: NamedInTurn<string>,
  isIso: boolean,
  site: CallSite,
  environment: ExpressionEnvironment,
): ExpressionValue {
  const time = readParts(given, TIME_PARTS, 0, site)
  if (time === null) return null
  const timezone = given.setting('timezone')
  if (timezone === null) return null
  const zone = zoneFrom(timezone, site, environment)
  const named = readParts(given, isIso ? ISO_PARTS : PLAIN_PARTS, 1, site)
  if (named === null) return null
  const [year = 1, second = 1, third = 1] = named
  if (year < 1 || year > 9999) {
    throw site.fail(`needs a ${isIso ? 'isoWeekYear' : 'year'} from 1 to 9999, given ${year}`)
  }
  const [hour = 0, minute = 0, seconds = 0, millisecond = 0] = time
  const day = isIso ? calendarParts(localIsoDay(year, second, third)) : { year, month: second, day: third }
  return dateAt(instantOf(localFromParts({ ...day, hour, minute, second: seconds, millisecond }), zone), site)
}

/** Null as soon as one is null; what is left out is `absent`. A year cannot be left out, but can be missing. */
function readParts(
  given: NamedInTurn<string>,
  names: readonly string[],
  absent: number,
  site: CallSite,
): readonly number[] | null {
  const parts: number[] = []
  for (const name of names) {
    const part = given.setting(name)
    if (part === null) return null
    parts.push(part === undefined ? absent : partFrom(part, name, site))
  }
  return parts
}

function partFrom(value: ExpressionValue, name: string, site: CallSite): number {
  const number = integerFrom(value, site, name)
  if (UNBOUNDED.includes(name) || (number >= LEAST_PART && number <= MOST_PART)) return number
  throw site.fail(`needs a ${name} from ${LEAST_PART} to ${MOST_PART}, given ${number}`)
}
