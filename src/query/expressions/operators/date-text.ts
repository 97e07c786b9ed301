import { show } from '../../parse/parse-context.ts'
import type { ExpressionValue } from '../../values/expression-value.ts'
import { textFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { dateAt, instantFrom, zoneFrom } from '../dates/date-arguments.ts'
import { formatDate, unknownSpecifier } from '../dates/format-date.ts'
import { parseDateByFormat, parseDateText, unreadableSpecifier } from '../dates/parse-date.ts'
import { type Timezone, UTC } from '../dates/timezone.ts'
import { type OperatorGroup, overNamedInTurn } from '../operator.ts'
import { isNullish } from '../read-value.ts'

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
