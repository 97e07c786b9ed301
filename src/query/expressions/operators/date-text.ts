import type { Json } from '../../../kernel/json.ts'
import type { ExpressionEnvironment, ExpressionNode, ExpressionValue } from '../../ast/expression.ts'
import { show } from '../../parse/parse-context.ts'
import { textFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { dateAt, instantFrom, zoneFrom } from '../dates/date-arguments.ts'
import { formatDate, unknownSpecifier } from '../dates/format-date.ts'
import { parseDateByFormat, parseIsoDate, unreadableSpecifier } from '../dates/parse-date.ts'
import { UTC } from '../dates/timezone.ts'
import { evaluateNode } from '../evaluate.ts'
import { type OperatorGroup, readNamed } from '../operator.ts'
import { isNullish } from '../read-value.ts'
import { spend, stepsToRead } from '../work-meter.ts'

/** Dates as text, and text as dates. */
export const DATE_TEXT_OPERATORS: OperatorGroup = {
  $dateFromString: (operand, site) => {
    const named = readNamed(operand, site, ['dateString'], ['format', 'timezone', 'onError', 'onNull'])
    const argument = argumentReader(named, site)
    const setting = settingReader(named, argument)
    return (environment) => {
      const text = argument('dateString', environment)
      const format = setting('format', environment)
      const timezone = setting('timezone', environment)
      if (isNullish(text)) return named.onNull === undefined ? null : argument('onNull', environment)
      if (format === null || timezone === null) return null
      const instant = typeof text === 'string' ? readDate(text, format, timezone, site, environment) : null
      if (instant !== null) return dateAt(instant, site)
      if (named.onError !== undefined) return argument('onError', environment)
      throw site.fail(
        `cannot read ${show(textFrom(text, site, 'dateString'))} as a date`,
        'Give it a format or onError.',
      )
    }
  },

  $dateToString: (operand, site) => {
    const named = readNamed(operand, site, ['date'], ['format', 'timezone', 'onNull'])
    const argument = argumentReader(named, site)
    const setting = settingReader(named, argument)
    return (environment) => {
      const date = argument('date', environment)
      const format = setting('format', environment)
      const timezone = setting('timezone', environment)
      if (isNullish(date)) return named.onNull === undefined ? null : argument('onNull', environment)
      if (format === null || timezone === null) return null
      const instant = instantFrom(date, site)
      const zone = zoneFrom(timezone, site, environment)
      const offset = zone.offsetAt(instant)
      const chosen = format ?? `%Y-%m-%dT%H:%M:%S.%L${zone === UTC ? 'Z' : ''}`
      return formatDate(instant + offset, offset, formatFrom(chosen, unknownSpecifier, site))
    }
  },
}

type ArgumentReader = (name: string, environment: ExpressionEnvironment) => ExpressionValue

/** Parses the arguments that are there; each is computed only when it is asked for. */
function argumentReader(named: Readonly<Record<string, Json | undefined>>, site: CallSite): ArgumentReader {
  const nodes = new Map<string, ExpressionNode>()
  for (const [name, json] of Object.entries(named)) if (json !== undefined) nodes.set(name, site.parse(json, name))
  return (name, environment) => {
    const node = nodes.get(name)
    const value = node === undefined ? undefined : evaluateNode(node, environment)
    spend(environment, 1 + stepsToRead(value), site.place)
    return value
  }
}

/** What is given and computes to no value is null, unlike what is left out. */
function settingReader(named: Readonly<Record<string, Json | undefined>>, argument: ArgumentReader): ArgumentReader {
  return (name, environment) => (named[name] === undefined ? undefined : (argument(name, environment) ?? null))
}

function readDate(
  text: string,
  format: ExpressionValue,
  timezone: ExpressionValue,
  site: CallSite,
  environment: ExpressionEnvironment,
): number | null {
  const zone = timezone === undefined ? null : zoneFrom(timezone, site, environment)
  if (format === undefined) return parseIsoDate(text, zone)
  return parseDateByFormat(text, formatFrom(format, unreadableSpecifier, site), zone)
}

function formatFrom(value: ExpressionValue, problemOf: (format: string) => string | null, site: CallSite): string {
  const format = textFrom(value, site, 'format')
  const problem = problemOf(format)
  if (problem === null) return format
  throw site.fail(`does not know ${show(problem)} in the format ${show(format)}`)
}
