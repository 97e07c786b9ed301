import { isJsonObject, type Json } from '../../kernel/json.ts'
import type { TextPattern } from '../ast/text-pattern.ts'
import { atIndex } from '../parse/parse-context.ts'
import { isPatternLiteral, parseLiteral, parsePatternLiteral } from '../parse/parse-literal.ts'
import type { ValueTest } from '../paths/path-walk.ts'
import { compilePattern } from '../patterns/compile-pattern.ts'
import { equalTest } from './eq.ts'
import type { Operator } from './operator.ts'
import { parseList } from './parse-list.ts'

/** Equal to one of the values, or matched by one of the patterns among them. */
export const inList: Operator<'$in'> = {
  parse(operand, context) {
    const values: Json[] = []
    const patterns: TextPattern[] = []
    for (const [index, item] of parseList(operand, context).entries()) {
      const place = atIndex(context, index)
      if (isJsonObject(item) && isPatternLiteral(item)) patterns.push(parsePatternLiteral(item, place))
      else values.push(parseLiteral(item, place))
    }
    return { operator: '$in', values, patterns }
  },
  compile: ({ values, patterns }, spot) => spot.elements(memberTest(values, patterns)),
}

function memberTest(values: readonly Json[], patterns: readonly TextPattern[]): ValueTest {
  // A set treats -0 as 0 and takes null for null alone, so a missing field is looked up as null.
  const scalars = new Set(values.filter((value) => typeof value !== 'object' || value === null))
  const compiled = patterns.map(compilePattern)
  const compounds = values.filter((value) => typeof value === 'object' && value !== null).map(equalTest)
  return (value) => {
    if (typeof value === 'object' && value !== null) return compounds.some((test) => test(value))
    if (scalars.has(value ?? null)) return true
    return typeof value === 'string' && compiled.some((pattern) => pattern.test(value))
  }
}
