import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import type { Store } from '../../src/store/port/store.ts'
import { accountScope, insertion, OPERATOR, PUBLIC, planOf } from '../support/plans.ts'

const SOURCES = fileURLToPath(new URL('../../src/store/postgres', import.meta.url))

/** A statement, or a part of one, as it is written in the sources. */
export interface WrittenStatement {
  readonly file: string
  /** In one line, with `…` for what is put in. */
  readonly text: string
  /** Matches what is sent of it. */
  readonly pattern: RegExp
}

/** All that the store sends, from the templates in its sources. */
export function writtenStatements(): readonly WrittenStatement[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return files.sort().flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(SOURCES, file), 'utf8'), ts.ScriptTarget.Latest, true)
    const found: WrittenStatement[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node)) found.push(written(file, node.template))
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  })
}

function written(file: string, template: ts.TemplateLiteral): WrittenStatement {
  const parts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
  const lines = parts.map(inOneLine)
  const escaped = lines.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return { file, text: lines.join('…').trim(), pattern: new RegExp(escaped.join('.*?').trim()) }
}

/** Without what only makes it easy to read. */
export function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

const ADA = accountScope('ada')
const BY = { via: 'http', user: 'u', account: 'ada', address: '::1', request: 'r' } as const
const SECOND = 1000

/** Asks a store for all that it can do, so that it sends all of its statements. `tended` is asked to merge what it writes. */
export async function doEverything(store: Store): Promise<void> {
  await writeRecords(store)
  await readRecords(store)
  await useAccounts(store)
  await store.writeMark('a', '1')
  await store.moveMark('a', '1', '2')
  await store.moveMark('b', null, '1')
  await store.readMark('a')
  await store.ping()
  await store.audit.note({ action: 'store.backed-up', kind: 'store', object: null })
  await store.audit.read({ limit: 5 })
  await store.audit.read({
    userId: 'u',
    action: 'record',
    object: 'x',
    request: 'r',
    since: 0,
    until: SECOND,
    limit: 5,
  })
  await store.check(() => {})
  await store.reindex(() => {})
}

async function writeRecords({ records, answers }: Store): Promise<void> {
  const own = { collection: 'c', accountId: 'ada' } as const
  const once = { accountId: 'ada', key: 'k', asked: 'a', answer: '{}', record: 'x', at: Date.now() }
  await records.apply([{ ...insertion('c', 'x', { name: 'x' }, own), isDefault: true } as never], BY, once)
  await answers.find('ada', 'k', Date.now())
  await answers.keep({ ...once, key: 'l', record: null })
  const many = Array.from({ length: 40 }, (_, at) => insertion('c', `m${at}`, { name: `m${at}`, n: at }, own))
  await records.applyEach(many, BY)
  for (const change of many.slice(0, 12)) await records.apply([{ ...change, id: `one-${change.id}` }], BY)
  const at = { ...own, id: 'x', expectedVersion: 1 } as const
  const text = JSON.stringify({ name: 'y' })
  await records.apply([{ action: 'replace', ...at, isPublic: false, text }], BY)
  await records.apply([{ action: 'replace', ...at, expectedVersion: 2, isPublic: true, text }], BY)
  await records.apply([{ action: 'replace', ...at, expectedVersion: 3, isPublic: false, text }], BY)
  await records.apply([{ action: 'remove', ...at, expectedVersion: 4, note: 'why' }], BY)
  await records.listRemoved('c', ADA, 0, 10)
  await records.listRemoved('c', OPERATOR, 0, 10)
  await records.readRemoved('c', ADA, 'x')
  await records.readRemoved('c', OPERATOR, 'x')
  await records.apply([{ action: 'restore', ...at, expectedVersion: 4, isPublic: true, text }], BY)
  await records.history('c', ADA, 'x')
  await records.history('c', OPERATOR, 'x')
  await records.readRevision('c', ADA, 'x', 1)
  await records.apply([{ action: 'remove', ...at, id: 'm1' }], BY)
  await records.apply([{ action: 'purge', ...at, id: 'm1' }], BY)
  await records.apply([{ action: 'erase', ...at, id: 'm2' }], BY)
}

async function readRecords({ records }: Store): Promise<void> {
  for (const scope of [ADA, PUBLIC, OPERATOR]) {
    const plan = planOf('c', { name: { $gt: '' } }, { sort: { n: 1 }, limit: 3, fields: { name: 1 } }, scope)
    await records.find(plan)
    await records.find(planOf('c', {}, { limit: 50 }, scope))
    await records.count(planOf('c', { name: 'y' }, {}, scope))
    for await (const _ of records.stream(planOf('c', {}, {}, scope)));
    await records.read('c', scope, 'x')
    await records.readDefault('c', scope, 'ada')
    await records.readChangeCounter(scope)
    await records.readCollectionMarks(scope)
    await records.askKnowledge('c', scope, (knowledge) => knowledge?.kindsAt('name'))
  }
  await records.readGivenUp('c', { belowMs: 2000, after: 0, limit: 20 })
}

/** Asks one who has just opened a database that `doEverything` has been done to for what comes of more than one home, or of a tail. */
export async function doAgain({ records }: Store): Promise<void> {
  const long = 'x'.repeat(3000)
  const all = planOf('c', {}, { sort: { name: 1 }, limit: 200 }, ADA)
  const of = (isPublic: boolean) =>
    Array.from({ length: 25 }, (_, at) =>
      insertion('c', `${isPublic}-${at}`, { name: `${long}${at}` }, { accountId: 'ada', isPublic }),
    )
  await records.applyEach([...of(true), ...of(false)])
  await records.find(all)
  await records.apply([insertion('c', 'last', { name: 'a' }, { accountId: 'ada' })])
  await records.find(all)
  for (const scope of [ADA, OPERATOR]) {
    const { next } = await records.find(planOf('c', {}, { sort: { name: -1 }, limit: 3 }, scope))
    await records.find(planOf('c', {}, { sort: { name: -1 }, limit: 3, after: next }, scope))
  }
}

async function useAccounts({ accounts }: Store): Promise<void> {
  const account = (id: string, type: 'personal' | 'organization') =>
    ({ id, name: id, slug: id, type, email: null, createdAt: 1, title: null, description: null }) as const
  const user = (id: string) =>
    ({ id, name: id, slug: id, email: `${id}@example.org`, passwordHash: 'h', defaultAccountId: `${id}-own` }) as const
  for (const id of ['u1', 'u2'])
    await accounts.insertUser({ ...user(id), createdAt: 1, disabledAt: null }, account(`${id}-own`, 'personal'), BY)
  await accounts.insertAccount(account('lab', 'organization'), 'u1', BY)
  await accounts.changeAccount('lab', { title: 'The Lab', description: 'Of surfaces' }, BY)
  await accounts.findUserByLogin('u1')
  await accounts.findUserByLogin('u1@example.org')
  await accounts.findUser('u1')
  await accounts.listUsers()
  await accounts.setUserDisabled('u2', 5, BY)
  await accounts.setPasswordHash('u2', 'i', BY)
  await accounts.findAccount('lab')
  await accounts.findAccountByName('lab')
  await accounts.listAccounts()
  await accounts.accountsOf('u1')
  await accounts.putMember('lab', 'u2', 'member', BY)
  await accounts.putMember('lab', 'u2', 'administrator', BY)
  await accounts.membersOf('lab')
  await accounts.passOwnership('lab', 'u1', 'u2', BY)
  await accounts.removeMember('lab', 'u1', BY)
  await accounts.noteFailedLogin(BY)
  await accounts.readAccountsVersion()
  await accounts.readAccountsVersion('lab')
  const token = {
    kind: 'api',
    name: 't',
    userId: 'u1',
    accountId: 'u1-own',
    oneAccount: false,
    readOnly: false,
  } as const
  for (const id of ['t1', 't2'])
    await accounts.insertToken(
      { ...token, id, hash: id, createdAt: 1, lastUsedAt: null, expiresAt: null, endedAt: null },
      BY,
    )
  await accounts.resolveToken('t1')
  await accounts.listTokens('u1')
  accounts.touchToken('t1', 9_999_999)
  await accounts.endToken('t1', 5)
  await accounts.revokeToken('u1', 't2', BY)
  const meters = [{ key: 'a', share: SECOND, windowMs: 10 * SECOND }]
  await accounts.countOn(meters, 1)
  await accounts.takeBackFrom(meters, 2)
  await accounts.noteAddress('u1', 'd', 3)
  await accounts.knowsAddress('u1', 'd')
  await accounts.removeAccount('lab', BY)
}
