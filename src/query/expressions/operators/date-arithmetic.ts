import type { ExpressionValue } from '../../ast/expression.ts'
import { countFrom, integerFrom } from '../arguments.ts'
import { dateAt, instantFrom, unitFrom, weekStartFrom, zoneFrom } from '../dates/date-arguments.ts'
import { addUnits, diffUnits, truncateToUnit } from '../dates/date-unit.ts'
import { type ExpressionOperator, type OperatorGroup, overNamed } from '../operator.ts'
import { isNullish } from '../read-value.ts'

/** Moving, subtracting and rounding dates; null or a missing argument in, null out. */
export const DATE_ARITHMETIC_OPERATORS: OperatorGroup = {
  $dateAdd: moving(1),

  $dateDiff: overNamed(
    ['startDate', 'endDate', 'unit'],
    ['timezone', 'startOfWeek'],
    ({ startDate, endDate, unit, timezone, startOfWeek }, site, environment) => {
      const weekStart = unit === 'week' ? startOfWeek : undefined
      if ([startDate, endDate, unit].some(isNullish) || isNull(timezone, weekStart)) return null
      const [from, to] = [instantFrom(startDate, site, 'startDate'), instantFrom(endDate, site, 'endDate')]
      return diffUnits(
        from,
        to,
        unitFrom(unit, site),
        zoneFrom(timezone, site, environment),
        weekStartFrom(weekStart, site),
      )
    },
  ),

  $dateSubtract: moving(-1),

  $dateTrunc: overNamed(
    ['date', 'unit'],
    ['binSize', 'timezone', 'startOfWeek'],
    ({ date, unit, binSize, timezone, startOfWeek }, site, environment) => {
      const startDay = unit === 'week' ? startOfWeek : undefined
      if ([date, unit].some(isNullish) || isNull(binSize, timezone, startDay)) return null
      const size = binSize === undefined ? 1 : countFrom(binSize, 1, site, 'binSize')
      const zone = zoneFrom(timezone, site, environment)
      const weekStart = weekStartFrom(startDay, site)
      return dateAt(truncateToUnit(instantFrom(date, site), unitFrom(unit, site), size, zone, weekStart), site)
    },
  ),
}

function moving(direction: 1 | -1): ExpressionOperator {
  return overNamed(
    ['startDate', 'unit', 'amount'],
    ['timezone'],
    ({ startDate, unit, amount, timezone }, site, environment) => {
      if ([startDate, unit, amount].some(isNullish) || timezone === null) return null
      const start = instantFrom(startDate, site, 'startDate')
      const distance = integerFrom(amount, site, 'amount') * direction
      return dateAt(addUnits(start, unitFrom(unit, site), distance, zoneFrom(timezone, site, environment)), site)
    },
  )
}

function isNull(...values: readonly ExpressionValue[]): boolean {
  return values.includes(null)
}
