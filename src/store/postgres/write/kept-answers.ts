import { ANSWERS_KEPT_MS, MOST_ANSWER_BYTES, MOST_ANSWERS, type Once } from '../../port/answers.ts'
import type { Change } from '../../port/record-store.ts'
import type { Transaction } from '../base/database.ts'
import { ofEachHome } from '../base/each-home.ts'

interface End {
  readonly place: number
  readonly total: number
}

interface Added extends End {
  readonly once: Once
  readonly serial: string | null
}

const NONE: End = { place: 0, total: 0 }

/** Answers to the requests of one transaction that are carried out once; the locks of their homes are held. */
export class KeptAnswers {
  readonly #known: Set<string>
  readonly #ends: Map<string, End>
  readonly #added: Added[] = []

  constructor(known: Set<string>, ends: Map<string, End>) {
    this.#known = known
    this.#ends = ends
  }

  /** Finds which of them have an answer, and where those of their homes end. */
  static async load(sql: Transaction, requests: readonly Once[]): Promise<KeptAnswers> {
    if (requests.length === 0) return new KeptAnswers(new Set(), new Map())
    const homes = [...new Set(requests.map(({ accountId }) => accountId))]
    const since = Math.min(...requests.map(({ at }) => at)) - ANSWERS_KEPT_MS
    const keysOf = (home: string) => requests.flatMap(({ accountId, key }) => (accountId === home ? [key] : []))
    const [known, ends] = await Promise.all([
      ofEachHome(
        homes,
        (home) => sql<{ home: string; key: string }[]>`
          SELECT home, key FROM answer WHERE home = ${home} AND key = ANY(${keysOf(home)}) AND at > ${since}`,
      ),
      ofEachHome(
        homes,
        (home) => sql<({ home: string } & End)[]>`
          SELECT home, place, total FROM answer WHERE home = ${home} ORDER BY place DESC LIMIT 1`,
      ),
    ])
    return new KeptAnswers(
      new Set(known.map(({ home, key }) => nameOf(home, key))),
      new Map(ends.map(({ home, place, total }) => [home, { place, total }])),
    )
  }

  /** Whether a request has an answer, from before or by another one of the transaction. */
  has({ accountId, key }: Once): boolean {
    return this.#known.has(nameOf(accountId, key))
  }

  /** Keeps the answer to a request that has none. */
  add(once: Once, serial: string | null): void {
    const { accountId, key, answer } = once
    const before = this.#ends.get(accountId) ?? NONE
    const end = { place: before.place + 1, total: before.total + Buffer.byteLength(answer) }
    this.#ends.set(accountId, end)
    this.#known.add(nameOf(accountId, key))
    this.#added.push({ once, serial, ...end })
  }

  /** Writes those that were added, and lets the oldest of their homes go. */
  async write(sql: Transaction): Promise<void> {
    if (this.#added.length === 0) return
    const of = <T>(value: (added: Added) => T): T[] => this.#added.map(value)
    const last = new Map(this.#added.map((added) => [added.once.accountId, added]))
    await Promise.all([
      sql`
        INSERT INTO answer (home, key, place, total, at, asked, answer, serial, record)
        SELECT * FROM unnest(
          ${of(({ once }) => once.accountId)}::text[], ${of(({ once }) => once.key)}::text[], ${of(({ place }) => place)}::bigint[],
          ${of(({ total }) => total)}::bigint[], ${of(({ once }) => once.at)}::bigint[], ${of(({ once }) => once.asked)}::text[],
          ${of(({ once }) => once.answer)}::text[], ${of(({ serial }) => serial)}::text[], ${of(({ once }) => once.record)}::text[])
        ON CONFLICT (home, key) DO UPDATE SET place = excluded.place, total = excluded.total, at = excluded.at, asked = excluded.asked,
          answer = excluded.answer, serial = excluded.serial, record = excluded.record`,
      ...Array.from(last.values(), ({ once, place, total }) => trim(sql, once, { place, total })),
    ])
  }
}

function nameOf(home: string, key: string): string {
  return `${home} ${key}`
}

/** Deletes what comes before the first to stay: totals and places grow. */
function trim(sql: Transaction, { accountId: home, at }: Once, { place, total }: End) {
  return sql`
    DELETE FROM answer WHERE home = ${home} AND place < (
      SELECT place FROM answer WHERE home = ${home} AND place > ${place - MOST_ANSWERS}
        AND (total > ${total - MOST_ANSWER_BYTES} OR place = ${place}) AND at > ${at - ANSWERS_KEPT_MS} ORDER BY place LIMIT 1)`
}

/** Lets answers go that show records which are deleted for good. */
export function forgetErased(sql: Transaction, changes: readonly Change[]): readonly PromiseLike<unknown>[] {
  const erased = new Map<string, string[]>()
  for (const { action, accountId, id } of changes) {
    if (action === 'erase' || action === 'purge') erased.set(accountId, [...(erased.get(accountId) ?? []), id])
  }
  return Array.from(erased, ([home, ids]) => sql`DELETE FROM answer WHERE home = ${home} AND record = ANY(${ids})`)
}
