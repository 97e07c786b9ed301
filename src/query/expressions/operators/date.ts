import { show } from '../../context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { type Timezone, UTC } from '../dates/calendar.ts'
import { dateAt, instantFrom, unitFrom, weekStartFrom, zoneFrom } from '../dates/date-arguments.ts'
import {
  formatDate,
  parseDateByFormat,
  parseDateText,
  unknownSpecifier,
  unreadableSpecifier,
} from '../dates/date-text.ts'
import { addUnits, diffUnits, type TimeCount, truncateToUnit } from '../dates/date-unit.ts'
import { type CallSite, countFrom, integerFrom, type NamedInTurn, textFrom } from '../language/arguments.ts'
import type { ExpressionEnvironment } from '../language/environment.ts'
import { type ExpressionOperator, type OperatorGroup, overNamedInTurn } from '../language/operator.ts'
import { isNullish } from '../language/read-value.ts'

/** Moving, subtracting and rounding dates. Arguments are looked at in turn; the first that is null or missing makes null. */
export const DATE_ARITHMETIC_OPERATORS: OperatorGroup = {
  $dateAdd: moving(1),

  $dateDiff: overNamedInTurn(
    ['startDate', 'endDate', 'unit'],
    ['timezone', 'startOfWeek'],
    (given, site, environment) => {
      const [startDate, endDate] = [given.value('startDate'), given.value('endDate')]
      if (isNullish(startDate) || isNullish(endDate)) return null
      const count = timeCountOf(given, site, environment)
      if (count === null) return null
      const [from, to] = [instantFrom(startDate, site, 'startDate'), instantFrom(endDate, site, 'endDate')]
      return diffUnits(from, to, count)
    },
  ),

  $dateSubtract: moving(-1),

  $dateTrunc: overNamedInTurn(['date', 'unit'], ['binSize', 'timezone', 'startOfWeek'], (given, site, environment) => {
    const date = given.value('date')
    if (isNullish(date)) return null
    const binSize = given.setting('binSize')
    if (binSize === null) return null
    const size = binSize === undefined ? 1 : countFrom(binSize, 1, site, 'binSize')
    const count = timeCountOf(given, site, environment)
    if (count === null) return null
    return dateAt(truncateToUnit(instantFrom(date, site), size, count), site)
  }),
}

/** Null where one of the arguments is null. Only weeks ask for the day on which they begin. */
function timeCountOf(
  given: NamedInTurn<'unit' | 'timezone' | 'startOfWeek'>,
  site: CallSite,
  environment: ExpressionEnvironment,
): TimeCount | null {
  const name = given.value('unit')
  if (isNullish(name)) return null
  const unit = unitFrom(name, site)
  const startOfWeek: ExpressionValue = unit === 'week' ? given.setting('startOfWeek') : undefined
  if (startOfWeek === null) return null
  const weekStart = weekStartFrom(startOfWeek, site)
  const timezone = given.setting('timezone')
  return timezone === null ? null : { unit, zone: zoneFrom(timezone, site, environment), weekStart }
}

function moving(direction: 1 | -1): ExpressionOperator {
  return overNamedInTurn(['startDate', 'unit', 'amount'], ['timezone'], (given, site, environment) => {
    const startDate = given.value('startDate')
    if (isNullish(startDate)) return null
    const name = given.value('unit')
    if (isNullish(name)) return null
    const unit = unitFrom(name, site)
    const [amount, timezone] = [given.value('amount'), given.setting('timezone')]
    if (isNullish(amount) || timezone === null) return null
    const zone = zoneFrom(timezone, site, environment)
    const start = instantFrom(startDate, site, 'startDate')
    return dateAt(addUnits(start, unit, integerFrom(amount, site, 'amount') * direction, zone), site)
  })
}

/** Dates as text, and text as dates. A format or time zone that is none is an error even where there is no date. */
export const DATE_TEXT_OPERATORS: OperatorGroup = {
  $dateFromString: overNamedInTurn(
    ['dateString'],
    ['format', 'timezone', 'onError', 'onNull'],
    (given, site, environment) => {
      const text = given.value('dateString')
      const format = formatFrom(given.setting('format'), unreadableSpecifier, site)
      const timezone = given.setting('timezone')
      const zone = isNullish(timezone) ? null : zoneFrom(timezone, site, environment)
      if (isNullish(text)) return given.gives('onNull') ? given.value('onNull') : null
      if (format === null || timezone === null) return null
      const instant = typeof text === 'string' ? readDate(text, format, zone) : null
      if (instant !== null) return dateAt(instant, site)
      if (given.gives('onError')) return given.value('onError')
      throw site.fail(
        `cannot read ${show(textFrom(text, site, 'dateString'))} as a date`,
        'Give it a format or onError.',
      )
    },
  ),

  $dateToString: overNamedInTurn(['date'], ['format', 'timezone', 'onNull'], (given, site, environment) => {
    const date = given.value('date')
    const format = formatFrom(given.setting('format'), unknownSpecifier, site)
    const timezone = given.setting('timezone')
    const zone = timezone === null ? null : zoneFrom(timezone, site, environment)
    if (isNullish(date)) return given.gives('onNull') ? given.value('onNull') : null
    if (format === null || zone === null) return null
    const instant = instantFrom(date, site)
    const offset = zone.offsetAt(instant)
    return formatDate(instant + offset, offset, format ?? `%Y-%m-%dT%H:%M:%S.%L${zone === UTC ? 'Z' : ''}`)
  }),
}

function readDate(text: string, format: string | undefined, zone: Timezone | null): number | null {
  return format === undefined ? parseDateText(text, zone) : parseDateByFormat(text, format, zone)
}

/** Undefined where it is left out, null where it is null. */
function formatFrom(
  value: ExpressionValue,
  problemOf: (format: string) => string | null,
  site: CallSite,
): string | null | undefined {
  if (isNullish(value)) return value
  const format = textFrom(value, site, 'format')
  const problem = problemOf(format)
  if (problem === null) return format
  throw site.fail(`does not know ${show(problem)} in the format ${show(format)}`)
}
