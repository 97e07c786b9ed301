import type { PlanName, QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Effort } from './effort.ts'
import { filterFirst } from './filter-first.ts'
import { Matcher } from './matcher.ts'
import type { Reader } from './reader.ts'
import { chooseFromLists } from './rows/choose-from-lists.ts'
import { sortFirst } from './sort-first.ts'
import type { Target } from './target.ts'
import { walkOf } from './walk.ts'

/** The records of one page, by row number and in order. */
export interface ChosenRecords {
  readonly numbers: readonly number[]
  readonly plan: PlanName | 'nothing'
  readonly rechecked: number
}

/** What it takes to visit one row of an index, and to fetch and parse one document, roughly in microseconds. */
const STEP_COST = 1.5
const DOCUMENT_COST = 25
/** A walk that was expected to be short is given up when it has taken this many times as long. */
const PATIENCE = 4

/**
 * Finds the records of a page. Few candidates are fetched and sorted; among many, the walk along the order that is
 * asked for meets a page full of matches soon. Where no walk gives the order, everything is read.
 */
export function chooseRecords(reader: Reader, plan: QueryPlan, target: Target | null, effort: Effort): ChosenRecords {
  if (target === null || target.selection.size === 0) return { numbers: [], plan: 'nothing', rechecked: 0 }
  const { selection, everything } = target
  const matcher = new Matcher(reader, plan, effort)
  const listed = plan.force === undefined ? chooseFromLists(reader, plan, target, matcher) : null
  if (listed !== null) {
    const name = selection.broad || selection.rows === everything.rows ? 'sort-first' : 'filter-first'
    return { numbers: listed, plan: name, rechecked: matcher.rechecked }
  }
  const walk = walkOf(reader, plan.sort, target)
  const expected = ((plan.skip + plan.limit) * reader.names.recordCount(target.collection)) / selection.size
  const promising = plan.sort.length > 0 && expected * STEP_COST < selection.size * DOCUMENT_COST
  if (walk !== null && (selection.broad || promising)) {
    const steps = selection.broad ? effort.steps : Math.min(effort.steps, Math.ceil(expected * PATIENCE))
    const numbers = sortFirst(reader, plan, target, walk, matcher, effort, steps)
    if (numbers !== null) return { numbers, plan: 'sort-first', rechecked: matcher.rechecked }
  }
  if (selection.broad) effort.spendBroad()
  const numbers = filterFirst(reader, plan, selection, matcher)
  const scanned = selection.rows === everything.rows
  return { numbers, plan: scanned ? 'scan' : 'filter-first', rechecked: matcher.rechecked }
}
