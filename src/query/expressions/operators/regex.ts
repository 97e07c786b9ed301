import type { ExpressionNode, TextPattern } from '../../ast/expression.ts'
import { atKey, type ParseContext, rootContext } from '../../context.ts'
import { compilePattern, parseTextPattern } from '../../patterns/compile-pattern.ts'
import { DEFAULT_QUERY_BOUNDS } from '../../plan.ts'
import {
  type CompiledPattern,
  type ExpressionValue,
  isCompiledPattern,
  type TextMatch,
} from '../../values/expression-value.ts'
import { type CallSite, textFrom } from '../language/arguments.ts'
import { type ExpressionEvaluator, spend } from '../language/environment.ts'
import type { ParseSite } from '../language/expression-context.ts'
import { type ExpressionOperator, type OperatorGroup, readNamed, type Three, type Two } from '../language/operator.ts'
import { isNullish } from '../language/read-value.ts'

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

type PatternSearch = (text: string | null, pattern: CompiledPattern | null, pay: Pay) => ExpressionValue

/** A dynamic pattern costs this many steps each time it is made. */
const STEPS_TO_COMPILE = 1_000
const CHARACTERS_PER_STEP = 4

/** The arguments are the input and the pattern, which is written out; or the input, the pattern and its options, which are computed. */
function searching(search: PatternSearch): ExpressionOperator<Two | Three, null> {
  return {
    parse(operand, site) {
      const named = readNamed(operand, site, ['input', 'regex'], ['options'])
      const input = site.parse(named.input, 'input')
      const regex = site.parse(named.regex, 'regex')
      const options = named.options === undefined ? NO_OPTIONS : site.parse(named.options, 'options')
      const written = writtenPattern(regex, options, site)
      return { args: written === null ? [input, regex, options] : [input, written], constants: null }
    },
    compile([input, regex, options], _, site) {
      const patternIn = options === undefined ? regex : computedPattern(regex, options, site)
      return (environment) => {
        const value = input(environment)
        const text = isNullish(value) ? null : textFrom(value, site, 'input')
        const pay = () => spend(environment, 1 + Math.floor((text?.length ?? 0) / CHARACTERS_PER_STEP), site.place)
        pay()
        const pattern = patternIn(environment)
        return search(text, isCompiledPattern(pattern) ? pattern : null, pay)
      }
    },
  }
}

const NO_OPTIONS: ExpressionNode = { kind: 'literal', value: undefined }

/** A pattern that is written out is made with the query; null where it is computed. */
function writtenPattern(regex: ExpressionNode, options: ExpressionNode, site: ParseSite): ExpressionNode | null {
  if (options.kind !== 'literal' || (regex.kind !== 'literal' && regex.kind !== 'pattern')) return null
  const given = regex.kind === 'pattern' ? compilePattern(regex.pattern) : regex.value
  const pattern = makePattern(given, options.value, site, site.context)
  return pattern === null ? { kind: 'literal', value: null } : { kind: 'pattern', pattern }
}

/** A pattern that is computed is made for each document. */
function computedPattern(
  regex: ExpressionEvaluator,
  options: ExpressionEvaluator,
  site: CallSite,
): ExpressionEvaluator {
  return (environment) => {
    spend(environment, STEPS_TO_COMPILE, site.place)
    const given = regex(environment)
    const pattern = makePattern(given, options(environment), site, afresh(site))
    return pattern === null ? null : compilePattern(pattern)
  }
}

function makePattern(
  regex: ExpressionValue,
  options: ExpressionValue,
  site: CallSite,
  context: ParseContext,
): TextPattern | null {
  if (isNullish(regex)) return null
  const letters = isNullish(options) ? '' : textFrom(options, site, 'options')
  if (!isCompiledPattern(regex)) {
    return parseTextPattern(textFrom(regex, site, 'regex'), letters, atKey(afresh(site), 'regex'))
  }
  const { pattern } = regex
  if (letters !== '' && pattern.flags !== '') throw site.fail('has options both in its regex and beside it')
  return letters === '' ? pattern : parseTextPattern(pattern.source, letters, atKey(context, 'regex'))
}

/** Each document starts with the pattern budget of a query afresh: only one computed pattern lives at a time. */
function afresh({ place }: CallSite): ParseContext {
  return rootContext(DEFAULT_QUERY_BOUNDS, place)
}

/** After an empty match the search goes on one character further. As in MongoDB, none begins at the end of a text that is not empty. */
function allMatches(text: string, pattern: CompiledPattern, pay: Pay): ExpressionValue {
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
