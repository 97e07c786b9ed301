import { isJsonObject, type Json } from '../../../kernel/json.ts'
import type { ExpressionEnvironment, ExpressionValue } from '../../ast/expression.ts'
import { describe, integerFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import {
  type CalendarParts,
  calendarParts,
  dayOfWeek,
  dayOfYear,
  isoDayOfWeek,
  isoWeek,
  isoWeekYear,
  localFromParts,
  localIsoDay,
  weekOfYear,
} from '../dates/calendar.ts'
import { dateAt, instantFrom, zoneFrom } from '../dates/date-arguments.ts'
import { instantOf } from '../dates/timezone.ts'
import { type Compute, type ExpressionOperator, type OperatorGroup, overNamed, overOne } from '../operator.ts'
import { isNullish } from '../read-value.ts'

/** The parts of a date, one by one or together. They take a date, or `{date, timezone}`. */
export const DATE_PARTS_OPERATORS: OperatorGroup = {
  $dateFromParts: parseDateFromParts,

  $dateToParts: overNamed(['date'], ['timezone', 'iso8601'], ({ date, timezone, iso8601 }, site, environment) => {
    if (isNullish(date) || timezone === null || iso8601 === null) return null
    if (iso8601 !== undefined && typeof iso8601 !== 'boolean') {
      throw site.fail(`needs true or false as iso8601, given ${describe(iso8601)}`)
    }
    const local = localTime(date, timezone, site, environment)
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

const PLAIN_PARTS = ['year', 'month', 'day'] as const
const ISO_PARTS = ['isoWeekYear', 'isoWeek', 'isoDayOfWeek'] as const
const TIME_PARTS = ['hour', 'minute', 'second', 'millisecond'] as const

/** Beyond these a part is a mistake; within them it carries over. */
const LEAST_PART = -32_768
const MOST_PART = 32_767

function part(read: (local: number) => number): ExpressionOperator {
  const plain = overOne((date, site) => (isNullish(date) ? null : read(instantFrom(date, site))))
  const zoned = overNamed(['date'], ['timezone'], ({ date, timezone }, site, environment) =>
    isNullish(date) || timezone === null ? null : read(localTime(date, timezone, site, environment)),
  )
  return (operand: Json, site) =>
    (isJsonObject(operand) && Object.hasOwn(operand, 'date') ? zoned : plain)(operand, site)
}

function localTime(
  date: ExpressionValue,
  timezone: ExpressionValue,
  site: CallSite,
  environment: ExpressionEnvironment,
): number {
  const instant = instantFrom(date, site)
  return instant + zoneFrom(timezone, site, environment).offsetAt(instant)
}

function isoParts(local: number): ExpressionValue {
  const { hour, minute, second, millisecond } = calendarParts(local)
  const day = { isoWeekYear: isoWeekYear(local), isoWeek: isoWeek(local), isoDayOfWeek: isoDayOfWeek(local) }
  return { ...day, hour, minute, second, millisecond }
}

type PartValues = Readonly<Record<string, ExpressionValue>>

function parseDateFromParts(operand: Json, site: CallSite): ReturnType<ExpressionOperator> {
  const isIso = isJsonObject(operand) && Object.hasOwn(operand, 'isoWeekYear')
  const [required, ...optional] = isIso ? ISO_PARTS : PLAIN_PARTS
  const compute: Compute<PartValues> = (values, at, environment) => dateFromParts(values, isIso, at, environment)
  return overNamed([required as string], [...optional, ...TIME_PARTS, 'timezone'], compute)(operand, site)
}

function dateFromParts(
  values: PartValues,
  isIso: boolean,
  site: CallSite,
  environment: ExpressionEnvironment,
): ExpressionValue {
  if (Object.values(values).some((value) => value === null)) return null
  const yearName = isIso ? 'isoWeekYear' : 'year'
  if (values[yearName] === undefined) return null
  const read = (name: string, absent: number) => partFrom(values[name], name, absent, site)
  const year = read(yearName, 1)
  if (year < 1 || year > 9999) throw site.fail(`needs a ${yearName} from 1 to 9999, given ${year}`)
  const midnight = isIso ? localIsoDay(year, read('isoWeek', 1), read('isoDayOfWeek', 1)) : 0
  const day = isIso ? calendarParts(midnight) : { year, month: read('month', 1), day: read('day', 1) }
  const parts: CalendarParts = {
    ...day,
    hour: read('hour', 0),
    minute: read('minute', 0),
    second: read('second', 0),
    millisecond: read('millisecond', 0),
  }
  return dateAt(instantOf(localFromParts(parts), zoneFrom(values.timezone, site, environment)), site)
}

function partFrom(value: ExpressionValue, name: string, absent: number, site: CallSite): number {
  if (value === undefined) return absent
  const number = integerFrom(value, site, name)
  if (number >= LEAST_PART && number <= MOST_PART) return number
  throw site.fail(`needs a ${name} from ${LEAST_PART} to ${MOST_PART}, given ${number}`)
}
