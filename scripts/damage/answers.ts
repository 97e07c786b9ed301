import { createHash } from 'node:crypto'
import { AppError } from '../../src/kernel/errors.ts'
import type { Json } from '../../src/kernel/json.ts'
import type { Store } from '../../src/store/port/store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { accountScope, OPERATOR, PUBLIC, planOf } from '../../test/support/plans.ts'
import { ACCOUNTS, MATERIALS } from './originals.ts'

/** What a server answered to a question: a digest of what it said, or how it refused. */
export type Answer = { readonly said: string } | { readonly refused: string } | { readonly fault: string }

/** Answers by question; or why the server did not start. */
export type Answers = ReadonlyMap<string, Answer> | { readonly notStarted: string }

/** Opens a data directory as a server does and asks for everything that is in it, by every index. */
export async function askServer(dataDirectory: string): Promise<Answers> {
  let store: Store
  try {
    store = await openSqliteStore({ dataDirectory, verifies: true, timeBudgetMs: 60_000 })
  } catch (error) {
    if (error instanceof AppError) return { notStarted: error.message }
    return { notStarted: `fault: ${String(error)}` }
  }
  const answers = new Map<string, Answer>()
  try {
    for (const [question, ask] of questionsTo(store)) answers.set(question, await answerTo(ask))
  } finally {
    await store.close()
  }
  return answers
}

async function answerTo(ask: () => Promise<unknown>): Promise<Answer> {
  try {
    return { said: digestOf(await ask()) }
  } catch (error) {
    return error instanceof AppError
      ? { refused: `${error.code} ${error.message}` }
      : { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

function digestOf(value: unknown): string {
  const hash = createHash('sha256')
  hash.update(Buffer.isBuffer(value) ? value : JSON.stringify(value))
  return hash.digest('base64url')
}

const FILTERS: readonly Json[] = [
  {},
  { formula: 'Si1' },
  { 'lattice.a': { $gt: 5 } },
  { 'lattice.type': 'FCC' },
  { 'basis.elements.value': 'Fe' },
  { 'basis.elements.id': 5 },
  { tags: { $in: ['t1', 't10'] } },
  { converged: true, 'lattice.a': { $lte: 3 } },
  { note: null },
  { description: { $exists: true } },
  { name: { $regex: '^Na' } },
]
const SORTS: readonly Json[] = [{}, { name: 1 }, { 'lattice.a': -1 }]

function* questionsTo({ records, accounts, audit }: Store): Generator<readonly [string, () => Promise<unknown>]> {
  for (const collection of ['materials', 'methods']) {
    yield [`export of ${collection}`, () => bytesOf(records.stream(planOf(collection)))]
  }
  for (const scope of [OPERATOR, PUBLIC, accountScope('account-1')]) {
    for (const filter of FILTERS) {
      const text = `${scope.kind} ${JSON.stringify(filter)}`
      yield [`count ${text}`, () => records.count(planOf('materials', filter, {}, scope))]
      for (const sort of SORTS) {
        const plan = planOf('materials', filter, { sort, limit: 100 }, scope)
        yield [
          `page ${text} ${JSON.stringify(sort)}`,
          async () => {
            const { documents, count, next } = await records.find(plan)
            return [documents.toString(), count, next]
          },
        ]
      }
    }
  }
  const ids = Array.from({ length: MATERIALS }, (_, i) => `m${i}`)
  yield [
    'single records',
    () => Promise.all(ids.map(async (id) => (await records.read('materials', OPERATOR, id))?.text ?? null)),
  ]
  for (const account of ACCOUNTS) {
    const scope = accountScope(account)
    yield [`removed from ${account}`, () => records.listRemoved('materials', scope, 0, 100)]
    yield [
      `texts removed from ${account}`,
      () => Promise.all(ids.slice(1000, 1060).map((id) => records.readRemoved('materials', scope, id))),
    ]
    yield [
      `histories of ${account}`,
      () => Promise.all(ids.slice(0, 300).map((id) => records.history('materials', scope, id))),
    ]
    yield [
      `earlier versions of ${account}`,
      () => Promise.all(ids.slice(0, 300).map((id) => records.readRevision('materials', scope, id, 1))),
    ]
  }
  yield ['users', () => accounts.listUsers()]
  yield ['accounts', () => accounts.listAccounts()]
  yield ['members', () => accounts.membersOf('group')]
  const users = Array.from({ length: 40 }, (_, i) => i)
  yield ['tokens', () => Promise.all(users.map((i) => accounts.listTokens(`user-${i}`)))]
  yield ['log-ins', () => Promise.all(users.map((i) => accounts.resolveToken(`hash-${i}`.padEnd(64, 'a'))))]
  yield ['names', () => Promise.all(users.map((i) => accounts.findUserByLogin(`user-${i}@example.org`)))]
  yield ['audit', () => audit.read({ limit: 100_000 })]
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
