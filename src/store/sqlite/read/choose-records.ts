import type { PlanName, QueryPlan } from '../../../query/plan/query-plan.ts'
import type { Selection } from '../../../query/sql/selection.ts'
import type { CompoundIndex } from '../compound/compound-index.ts'
import type { After } from './after.ts'
import { compoundFor, walkCost } from './compound/choose-compound.ts'
import { walkCompound } from './compound/walk-compound.ts'
import type { Effort } from './effort.ts'
import { filterFirst } from './filter-first.ts'
import { Matcher } from './matcher.ts'
import { NO_RECORDS, type PageSource } from './page-source.ts'
import type { Reader } from './reader.ts'
import { chooseFromLists } from './rows/choose-from-lists.ts'
import { sortFirst } from './sort-first.ts'
import { sortRangeOf } from './sort-range.ts'
import type { Target } from './target.ts'
import { walkOf } from './walk.ts'

/** The records of one page, in order, and how they were found. */
export interface ChosenRecords {
  readonly source: PageSource
  readonly plan: PlanName | 'nothing'
  /** The index that gave the order; null in the other plans. */
  readonly compound: CompoundIndex | null
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
export function chooseRecords(
  reader: Reader,
  plan: QueryPlan,
  target: Target | null,
  after: After | null,
  effort: Effort,
): ChosenRecords {
  if (target === null || target.selection.size === 0) {
    return { source: NO_RECORDS, plan: 'nothing', compound: null, rechecked: 0 }
  }
  const matcher = new Matcher(reader, plan, effort)
  const run: Run = { reader, plan, target, after, matcher, effort }
  const chosen = plan.force === undefined ? byCost(run) : byForce(run, plan.force)
  return { ...chosen, rechecked: matcher.rechecked }
}

/** All that finding a page takes. */
interface Run {
  readonly reader: Reader
  readonly plan: QueryPlan
  readonly target: Target
  readonly after: After | null
  readonly matcher: Matcher
  readonly effort: Effort
}

type Choice = Omit<ChosenRecords, 'rechecked'>

function byCost(run: Run): Choice {
  const { reader, plan, target, after, matcher, effort } = run
  const { selection } = target
  const indexed = byCompound(run, (cost) => selection.broad || cost < selection.size * DOCUMENT_COST, effort.steps)
  if (indexed !== null) return indexed
  const listed = chooseFromLists(reader, plan, target, after, matcher)
  if (listed !== null) {
    const walked = selection.broad || selection.rows === target.everything.rows
    return byNumbers(listed, walked ? 'sort-first' : 'filter-first')
  }
  const expected = ((plan.skip + plan.limit) * reader.names.recordCount(target.collection)) / selection.size
  const promising = plan.sort.length > 0 && expected * STEP_COST < selection.size * DOCUMENT_COST
  if (selection.broad || promising) {
    const steps = selection.broad ? effort.steps : Math.min(effort.steps, Math.ceil(expected * PATIENCE))
    const walked = walk(run, steps)
    if (walked !== null) return walked
  }
  return fetch(run, selection)
}

/** Where there is no walk, and no index, what is forced to use it fetches. */
function byForce(run: Run, force: PlanName): Choice {
  const { everything, selection } = run.target
  const found =
    force === 'compound'
      ? byCompound(run, () => true, Number.POSITIVE_INFINITY)
      : force === 'sort-first'
        ? walk(run, Number.POSITIVE_INFINITY)
        : null
  return found ?? fetch(run, force === 'scan' ? { ...everything, exact: false } : selection)
}

/** Null when there is no index for it, none that is worth its cost, or too few steps. */
function byCompound(run: Run, isWorth: (cost: number) => boolean, steps: number): Choice | null {
  const { reader, plan, target, after, matcher, effort } = run
  const found = compoundFor(reader, plan, target, effort.probeLimit)
  if (found === null || !isWorth(walkCost(reader, plan, target, found.walk))) return null
  const source = walkCompound(reader, plan, target, found, after, matcher, effort, steps)
  return source === null ? null : { source, plan: 'compound', compound: found.index }
}

function walk({ reader, plan, target, after, matcher, effort }: Run, steps: number): Choice | null {
  const order = walkOf(reader, plan.sort, target, after, sortRangeOf(reader, plan, target.collection))
  if (order === null) return null
  const numbers = sortFirst(reader, plan, target, order, after, matcher, effort, steps)
  return numbers === null ? null : byNumbers(numbers, 'sort-first')
}

function fetch({ reader, plan, target, after, matcher, effort }: Run, selection: Selection): Choice {
  if (selection.broad) effort.spendBroad()
  const numbers = filterFirst(reader, plan, selection, after, matcher)
  return byNumbers(numbers, selection.rows === target.everything.rows ? 'scan' : 'filter-first')
}

function byNumbers(numbers: readonly number[], plan: PlanName): Choice {
  return { source: { kind: 'numbers', numbers }, plan, compound: null }
}
