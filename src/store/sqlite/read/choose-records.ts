import type { QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Effort } from './effort.ts'
import { filterFirst } from './filter-first.ts'
import { Matcher } from './matcher.ts'
import { type Reader, targetOf } from './reader.ts'
import { sortFirst } from './sort-first.ts'
import { walkOf } from './walk.ts'

/** The records of one page, by row number and in order. */
export interface ChosenRecords {
  readonly numbers: readonly number[]
  readonly plan: 'nothing' | 'filter-first' | 'sort-first' | 'scan'
  readonly rechecked: number
}

/**
 * Finds the records of a page. Few candidates are fetched and sorted; among many, the walk along the order that is
 * asked for meets a page full of matches soon. Where no walk gives the order, everything is read.
 */
export function chooseRecords(reader: Reader, plan: QueryPlan, effort: Effort): ChosenRecords {
  const target = targetOf(reader, plan, effort)
  if (target === null || target.selection.size === 0) return { numbers: [], plan: 'nothing', rechecked: 0 }
  const matcher = new Matcher(reader, plan.filter, effort)
  if (target.selection.broad) {
    const walk = walkOf(reader, plan.sort, target)
    if (walk !== null) {
      const numbers = sortFirst(reader, plan, target, walk, matcher, effort)
      return { numbers, plan: 'sort-first', rechecked: matcher.rechecked }
    }
    effort.spendBroad()
  }
  const numbers = filterFirst(reader, plan, target.selection, matcher)
  const scanned = target.selection.rows === target.everything.rows
  return { numbers, plan: scanned ? 'scan' : 'filter-first', rechecked: matcher.rechecked }
}
