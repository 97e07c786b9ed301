import type { PredicateNode } from '../query/ast/filter.ts'
import { valueTestOf } from '../query/filter/match.ts'
import { askOf } from './ask.ts'
import { NO, opposite, PERHAPS, type Verdict, verdictOf, YES } from './selection.ts'
import type { Value } from './value-dictionary.ts'

/** Judges what a dictionary knows of a value. */
export type ValueJudge = (value: Value) => Verdict

/** Asks all predicates of one value by itself. A vector is one array among the values, or (`isEntered`) asked number by number too. */
export function valueJudge(predicates: readonly PredicateNode[], isEntered: boolean): ValueJudge {
  const judges = predicates.map((predicate) => judgeOf(predicate, isEntered))
  return (value) => leastOf(judges, value)
}

function leastOf(judges: readonly ValueJudge[], value: Value): Verdict {
  let least: Verdict = YES
  for (const judge of judges) least = Math.min(least, judge(value)) as Verdict
  return least
}

function judgeOf(predicate: PredicateNode, isEntered: boolean): ValueJudge {
  const test = valueTestOf(predicate)
  const ofKind = kindJudge(predicate, isEntered)
  return (value) => {
    if (typeof value !== 'object' || value === null) return verdictOf(test(value))
    return value.kind === 'missing' ? verdictOf(test(undefined)) : ofKind(value)
  }
}

function kindJudge(predicate: PredicateNode, isEntered: boolean): ValueJudge {
  switch (predicate.operator) {
    case '$not': {
      const judge = valueJudge(predicate.predicates, isEntered)
      return (value) => opposite(judge(value))
    }
    case '$all':
      return predicate.predicates.length === 0 ? () => NO : valueJudge(predicate.predicates, isEntered)
    case '$exists':
      return () => verdictOf(predicate.exists)
    case '$elemMatch':
    case '$size':
      return (value) => (isArray(value) ? PERHAPS : NO)
    default: {
      const { object, array, numbers } = askOf(predicate)
      const vector = isEntered ? (Math.max(array, numbers) as Verdict) : array
      return (value) =>
        isKind(value, 'object') ? object : isKind(value, 'nested') ? array : isArray(value) ? vector : PERHAPS
    }
  }
}

function isArray(value: Value): boolean {
  return isKind(value, 'nested') || isKind(value, 'vector')
}

function isKind(value: Value, kind: string): boolean {
  return typeof value === 'object' && value !== null && value.kind === kind
}
