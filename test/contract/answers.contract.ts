import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ANSWERS_KEPT_MS, MOST_ANSWER_BYTES, type Once } from '../../src/store/port/answers.ts'
import type { Store } from '../../src/store/port/store.ts'
import { accountScope, documentsOf, insertion, planOf } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

const NOW = 1_700_000_000_000
const REPEATED = { code: 40940 }

/** What every store keeps of requests that are carried out once. */
export function answersContract(target: StoreTarget): void {
  describe(`answers in ${target.name}`, () => {
    let opened: OpenTarget
    let store: Store
    let last = 0

    beforeAll(async () => {
      opened = await target.open()
      store = opened.store
    })
    afterAll(() => opened.dispose())

    const newCollection = (): string => `answers-${++last}`
    const once = (key: string, more: Partial<Once> = {}): Once => ({
      accountId: 'alice',
      key,
      asked: `asked ${key}`,
      answer: `answer ${key}`,
      record: null,
      at: NOW,
      ...more,
    })
    const insert = (collection: string, id: string, accountId = 'alice') =>
      insertion(collection, id, { name: id }, { accountId })
    const find = (key: string, accountId = 'alice', now = NOW) => store.answers.find(accountId, key, now)
    const idsIn = async (collection: string): Promise<unknown[]> =>
      documentsOf(await store.records.find(planOf(collection, {}, {}, accountScope('alice')))).map(({ name }) => name)

    it('are kept with the changes, and name the record that was made', async () => {
      const collection = newCollection()
      const [result] = await store.records.apply([insert(collection, 'x')], undefined, once('made'))
      expect(result).toMatchObject({ outcome: 'done' })
      const serial = (result as { serial: string }).serial
      expect(await find('made')).toEqual({ asked: 'asked made', answer: 'answer made', serial })
      store = await opened.reopen()
      expect(await find('made')).toMatchObject({ answer: 'answer made' })
    })

    it('let nothing be carried out twice, whatever the second is', async () => {
      const collection = newCollection()
      await store.records.apply([insert(collection, 'x')], undefined, once('twice'))
      const again = store.records.apply([insert(collection, 'y')], undefined, once('twice', { answer: 'other' }))
      await expect(again).rejects.toMatchObject(REPEATED)
      expect(await idsIn(collection)).toEqual(['x'])
      expect(await find('twice')).toMatchObject({ answer: 'answer twice' })
    })

    it('let one of many be carried out that come at once', async () => {
      const collection = newCollection()
      const ids = Array.from({ length: 20 }, (_, at) => `${at}`)
      const outcomes = await Promise.allSettled(
        ids.map((id) => store.records.apply([insert(collection, id)], undefined, once('at once', { answer: id }))),
      )
      const done = ids.filter((_, at) => outcomes[at]?.status === 'fulfilled')
      expect(done).toHaveLength(1)
      expect(await idsIn(collection)).toEqual(done)
      expect(await find('at once')).toMatchObject({ answer: done[0] })
      for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(REPEATED)
    })

    it('are not kept of changes that were not applied', async () => {
      const collection = newCollection()
      await store.records.apply([insert(collection, 'x')])
      const [taken] = await store.records.apply([insert(collection, 'x')], undefined, once('not done'))
      expect(taken).toEqual({ outcome: 'exists' })
      expect(await find('not done')).toBeNull()
      const [done] = await store.records.apply([insert(collection, 'y')], undefined, once('not done'))
      expect(done).toMatchObject({ outcome: 'done' })
    })

    it('are of one account, in whose home they are kept, whoever gets the record', async () => {
      const collection = newCollection()
      await store.records.apply([insert(collection, 'x', 'bob')], undefined, once('whose'))
      expect(await find('whose', 'bob')).toBeNull()
      expect(await find('whose')).toMatchObject({ answer: 'answer whose' })
      const other = once('whose', { accountId: 'bob', answer: 'of bob' })
      await store.records.apply([insert(collection, 'y', 'bob')], undefined, other)
      expect(await find('whose', 'bob')).toMatchObject({ answer: 'of bob' })
    })

    it('are kept for a day, and then the request is another one', async () => {
      const collection = newCollection()
      await store.records.apply([insert(collection, 'x')], undefined, once('old'))
      expect(await find('old', 'alice', NOW + ANSWERS_KEPT_MS - 1)).not.toBeNull()
      expect(await find('old', 'alice', NOW + ANSWERS_KEPT_MS)).toBeNull()
      const later = once('old', { at: NOW + ANSWERS_KEPT_MS, answer: 'anew' })
      await store.records.apply([insert(collection, 'y')], undefined, later)
      expect(await find('old', 'alice', NOW + ANSWERS_KEPT_MS)).toMatchObject({ answer: 'anew' })
    })

    it('go, the oldest first, where an account has more bytes of them than it may have', async () => {
      const half = 'x'.repeat(MOST_ANSWER_BYTES / 2)
      const keep = (key: string, answer: string) => store.answers.keep(once(key, { accountId: 'carol', answer }))
      await keep('small', 'small')
      await keep('half', half)
      expect(await find('small', 'carol')).not.toBeNull()
      await keep('other half', half)
      expect(await find('small', 'carol')).toBeNull()
      expect(await find('half', 'carol')).not.toBeNull()
      expect(await find('other half', 'carol')).not.toBeNull()
      await keep('whole', half + half)
      expect(await find('other half', 'carol')).toBeNull()
      expect(await find('whole', 'carol')).not.toBeNull()
    })

    it('of what has written nothing are kept by themselves, the first that comes', async () => {
      await store.answers.keep(once('nothing'))
      await store.answers.keep(once('nothing', { answer: 'second' }))
      expect(await find('nothing')).toEqual({ asked: 'asked nothing', answer: 'answer nothing', serial: null })
    })

    it.each(['erase', 'purge'] as const)('go with the record that they show: %s', async (action) => {
      const collection = newCollection()
      const address = { collection, id: 'x', accountId: 'alice', expectedVersion: 1 }
      await store.records.apply([insert(collection, 'x')], undefined, once(action, { record: 'x' }))
      await store.records.apply([insert(collection, 'y')], undefined, once(`${action} y`, { record: 'y' }))
      if (action === 'purge') await store.records.apply([{ action: 'remove', ...address }])
      expect(await find(action)).not.toBeNull()
      await store.records.apply([{ action, ...address }])
      expect(await find(action)).toBeNull()
      expect(await find(`${action} y`)).not.toBeNull()
    })

    it('are kept with an organization, and go with it', async () => {
      const words = { title: null, description: null }
      const row = (id: string) =>
        ({ id, name: id, slug: id, type: 'organization', email: null, createdAt: 1, ...words }) as const
      const user = { id: 'u', name: 'u', slug: 'u', email: null, passwordHash: 'h', defaultAccountId: 'p' }
      const personal = { ...row('p'), type: 'personal' } as const
      await store.accounts.insertUser({ ...user, createdAt: 1, disabledAt: null }, personal)
      expect(await store.accounts.insertAccount(row('lab'), 'u', undefined, once('lab'))).toBe('done')
      expect(await find('lab')).toMatchObject({ answer: 'answer lab', serial: null })
      const again = store.accounts.insertAccount(row('lab2'), 'u', undefined, once('lab'))
      await expect(again).rejects.toMatchObject(REPEATED)
      expect(await store.accounts.findAccountByName('lab2')).toBeNull()
      expect(await store.accounts.insertAccount(row('lab'), 'u', undefined, once('taken'))).toEqual({ taken: 'name' })
      expect(await find('taken')).toBeNull()
      expect(await store.accounts.changeAccount('lab', { title: 'A' }, undefined, once('changed'))).toBe('done')
      expect(await find('changed')).toMatchObject({ answer: 'answer changed', serial: null })
      const changed = store.accounts.changeAccount('lab', { title: 'B' }, undefined, once('changed'))
      await expect(changed).rejects.toMatchObject(REPEATED)
      expect((await store.accounts.findAccount('lab'))?.title).toBe('A')
      expect(await store.accounts.changeAccount('none', { title: 'A' }, undefined, once('of none'))).toBe('missing')
      expect(await find('of none')).toBeNull()
      await store.answers.keep(once('of the lab', { accountId: 'lab' }))
      await store.accounts.removeAccount('lab')
      expect(await find('of the lab', 'lab')).toBeNull()
    })
  })
}
