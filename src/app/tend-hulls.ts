import { setTimeout as wait } from 'node:timers/promises'
import { equals, type FilterNode } from '../query/ast/filter.ts'
import { planQuery } from '../query/plan.ts'
import { settleHulls, settleNoted } from '../records/calculations/settle-hulls.ts'
import { staleHullsOf } from '../records/diagrams/stale-hulls.ts'
import { RECORD_EVENTS } from '../records/events.ts'
import { materialKind } from '../records/kinds/material/material-kind.ts'
import { HULL_SOURCE } from '../records/kinds/property/best-property.ts'
import { propertyKind } from '../records/kinds/property/property-kind.ts'
import type { Services } from './open-services.ts'
import { WorkTurn } from './turn.ts'

/** Times at which a server computes what follows from energies, in milliseconds. */
export interface HullTimes {
  /** Look at all accounts after the start. */
  readonly firstMs: number
  /** Again. */
  readonly againMs: number
  /** Quiet after a change before what follows from it is computed. */
  readonly quietMs: number
  /** Longest wait for quiet. */
  readonly mostMs: number
}

const TIMES: HullTimes = { firstMs: 5_000, againMs: 600_000, quietMs: 500, mostMs: 30_000 }

const PAGE = 500

/**
 * Keeps formation energies and energies above the hull what follows from the energies of their accounts: soon after energies have changed, and at the start and
 * now and then of all accounts that have changed since, whoever changed them. Gives the way to end, which waits for the step under way.
 */
export function tendHulls(services: Services, times: HullTimes = TIMES): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const tending = Promise.all([tendNoted(services, times, signal), tendAll(services, times, signal)])
  return async () => {
    ending.abort()
    await tending
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal, ref: false }).catch(() => {})
}

async function tendNoted({ records }: Services, { quietMs, mostMs }: HullTimes, signal: AbortSignal): Promise<void> {
  const stale = staleHullsOf(records.store)
  let notedAt = 0
  let wake = () => {}
  stale.onNoted(() => {
    notedAt = performance.now()
    wake()
  })
  signal.addEventListener('abort', () => wake())
  while (!signal.aborted) {
    if (stale.isEmpty) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const latest = performance.now() + mostMs
    for (
      let now = performance.now();
      !signal.aborted && now < Math.min(notedAt + quietMs, latest);
      now = performance.now()
    ) {
      await pause(Math.min(notedAt + quietMs, latest) - now, signal)
    }
    if (!signal.aborted) await settleNoted(records, signal)
  }
}

async function tendAll(services: Services, { firstMs, againMs }: HullTimes, signal: AbortSignal): Promise<void> {
  const turn = new WorkTurn(services, 'hulls')
  for (let waitMs = firstMs; !signal.aborted; waitMs = turn.pauseOf(againMs)) {
    await pause(waitMs, signal)
    if (signal.aborted) continue
    let account = 'all'
    try {
      let changed = 0
      for await (const accountId of accountsWithEnergies(services)) {
        account = accountId
        if (signal.aborted || !(await turn.isOurs())) break
        changed += await settleAccount(services, accountId, signal)
      }
      if (changed > 0) services.log.tell(RECORD_EVENTS.hullsSettled, { count: changed })
    } catch (error) {
      if (!signal.aborted) services.log.tell(RECORD_EVENTS.hullsNotSettled, { account }, error)
    }
  }
}

/** Settles an account unless nothing has changed since it was settled. */
async function settleAccount({ store, records }: Services, accountId: string, signal: AbortSignal): Promise<number> {
  const mark = `hulls ${accountId}`
  const state = async () => {
    const marks = await records.store.readCollectionMarks({ kind: 'account', accountId })
    return JSON.stringify([materialKind, propertyKind].map(({ collection }) => marks.get(collection) ?? ''))
  }
  if ((await store.readMark(mark)) === (await state())) return 0
  let looked = ''
  const onLook = async () => {
    looked = await state()
  }
  const { changed, isSettled } = await settleHulls({ deps: records, accountId, signal }, null, onLook)
  if (isSettled) await store.writeMark(mark, looked)
  return changed
}

const WITH_ENERGIES: FilterNode = {
  kind: 'or',
  clauses: [equals('data.name', 'total_energy'), equals('source.type', HULL_SOURCE)],
}

/** Accounts that have energies, or what once followed from them. */
async function* accountsWithEnergies({ records }: Services): AsyncGenerator<string> {
  const request = { filter: WITH_ENERGIES, sort: [], fields: null, skip: 0, limit: 1 }
  const plan = planQuery(request, propertyKind.collection, { kind: 'operator' })
  const path = { text: 'owner._id', parts: ['owner', '_id'] }
  for (let after: string | undefined; ; ) {
    const { values, hasMore } = await records.store.survey(plan, { kind: 'distinct', path, limit: PAGE, after })
    const ids = values.filter((value) => typeof value === 'string')
    yield* ids
    after = ids.at(-1)
    if (!hasMore || after === undefined) return
  }
}
