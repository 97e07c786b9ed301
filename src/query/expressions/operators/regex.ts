import type { Json } from '../../../kernel/json.ts'
import type { ExpressionEnvironment, ExpressionNode, ExpressionValue } from '../../ast/expression.ts'
import type { TextMatch, TextPattern } from '../../ast/text-pattern.ts'
import { isTextPattern } from '../../patterns/is-text-pattern.ts'
import { parseTextPattern } from '../../patterns/parse-pattern.ts'
import { textFrom } from '../arguments.ts'
import type { CallSite } from '../call-site.ts'
import { evaluateNode } from '../evaluate.ts'
import { toArgument } from '../expression-context.ts'
import { type ExpressionOperator, type OperatorGroup, readNamed } from '../operator.ts'
import { isNullish } from '../read-value.ts'
import { spend } from '../work-meter.ts'

/** Regular expressions over text, in linear time. */
export const REGEX_OPERATORS: OperatorGroup = {
  $regexFind: searching((text, pattern) => {
    const match = text === null ? null : pattern?.find(text, 0)
    return match && text !== null ? describeMatch(match, codePointsBetween(text, 0, match.index)) : null
  }),
  $regexFindAll: searching((text, pattern, pay) =>
    text === null || pattern === null ? [] : allMatches(text, pattern, pay),
  ),
  $regexMatch: searching((text, pattern) => text !== null && pattern?.test(text) === true),
}

/** Pays for one more look at the text. */
type Pay = () => void

type Search = (text: string | null, pattern: TextPattern | null, pay: Pay) => ExpressionValue

/** A dynamic pattern costs this many steps each time it is made. */
const STEPS_TO_COMPILE = 1_000
const CHARACTERS_PER_STEP = 4

function searching(search: Search): ExpressionOperator {
  return (operand, site) => {
    const named = readNamed(operand, site, ['input', 'regex'], ['options'])
    const input = site.parse(named.input, 'input')
    const patternIn = patternReader(site.parse(named.regex, 'regex'), named.options, site)
    return (environment) => {
      const value = evaluateNode(input, environment)
      const text = isNullish(value) ? null : textFrom(value, site, 'input')
      const pay = () => spend(environment, 1 + Math.floor((text?.length ?? 0) / CHARACTERS_PER_STEP), site.place)
      pay()
      return search(text, patternIn(environment), pay)
    }
  }
}

type PatternReader = (environment: ExpressionEnvironment) => TextPattern | null

/** A pattern that is written out is compiled once, with the query; one that is computed, for each document. */
function patternReader(regex: ExpressionNode, optionsJson: Json | undefined, site: CallSite): PatternReader {
  const options: ExpressionNode =
    optionsJson === undefined ? { kind: 'literal', value: undefined } : site.parse(optionsJson, 'options')
  if (regex.kind === 'literal' && options.kind === 'literal') {
    const pattern = makePattern(regex.value, options.value, site)
    return () => pattern
  }
  return (environment) => {
    spend(environment, STEPS_TO_COMPILE, site.place)
    return makePattern(evaluateNode(regex, environment), evaluateNode(options, environment), site)
  }
}

function makePattern(regex: ExpressionValue, options: ExpressionValue, site: CallSite): TextPattern | null {
  if (isNullish(regex)) return null
  const letters = isNullish(options) ? '' : textFrom(options, site, 'options')
  if (!isTextPattern(regex)) {
    // Each document starts with the pattern budget of the query afresh: only one computed pattern lives at a time.
    const context = { ...toArgument(site.context, 'regex'), counters: { clauses: 0, patternSize: 0 } }
    return parseTextPattern(textFrom(regex, site, 'regex'), letters, context)
  }
  if (letters !== '' && regex.flags !== '') throw site.fail('has options both in its regex and beside it')
  return letters === '' ? regex : parseTextPattern(regex.source, letters, toArgument(site.context, 'regex'))
}

/**
 * After an empty match the search goes on one character further. The end of a text is no place to begin at, as in MongoDB, unless
 * the text is empty.
 */
function allMatches(text: string, pattern: TextPattern, pay: Pay): ExpressionValue {
  const matches: ExpressionValue[] = []
  let from = 0
  let counted = 0
  let codePoints = 0
  do {
    pay()
    const match = pattern.find(text, from)
    if (match === null) break
    codePoints += codePointsBetween(text, counted, match.index)
    counted = match.index
    matches.push(describeMatch(match, codePoints))
    const end = match.index + match.text.length
    from = match.text === '' ? end + String.fromCodePoint(text.codePointAt(end) ?? 0).length : end
  } while (from < text.length)
  return matches
}

function describeMatch(match: TextMatch, idx: number): ExpressionValue {
  return { match: match.text, idx, captures: match.captures }
}

function codePointsBetween(text: string, from: number, to: number): number {
  let count = 0
  for (const _ of text.slice(from, to)) count += 1
  return count
}
