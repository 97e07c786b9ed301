import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Actor, AuditQuery } from '../../src/store/port/audit.ts'
import type { Change } from '../../src/store/port/record-store.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

const ADA: Actor = { via: 'http', user: 'u1', account: 'a1', address: '192.0.2.7', request: 'r-1' }
const ALL = { limit: 1000 }

/** What every store keeps of who did what. */
export function auditContract(target: StoreTarget): void {
  describe(`the audit in ${target.name}`, () => {
    let opened: OpenTarget
    beforeEach(async () => {
      opened = await target.open()
    })
    afterEach(() => opened.dispose())

    const insert = (id: string, isPublic = false): Change => ({
      action: 'insert',
      collection: 'c',
      id,
      accountId: 'a1',
      isPublic,
      text: `{"_id":"${id}"}`,
    })
    const named = (id: string, expectedVersion: number) => ({ collection: 'c', id, accountId: 'a1', expectedVersion })
    const done = async (change: Change) => {
      expect(await opened.store.records.apply([change], ADA)).toMatchObject([{ outcome: 'done' }])
    }
    const actions = async (query: AuditQuery = ALL) =>
      (await opened.store.audit.read(query)).map(({ action, object, version }) => [action, object, version])

    it('has who changed which record, from where, in which request and when', async () => {
      const before = Date.now()
      await done(insert('x'))
      const rows = await opened.store.audit.read(ALL)
      expect(rows).toEqual([
        {
          at: expect.any(Number),
          action: 'record.created',
          via: 'http',
          user: { id: 'u1', name: null },
          account: { id: 'a1', slug: null },
          address: '192.0.2.7',
          request: 'r-1',
          kind: 'c',
          object: 'x',
          version: 1,
          details: null,
        },
      ])
      expect(rows[0]?.at).toBeGreaterThanOrEqual(before)
      expect(rows[0]?.at).toBeLessThanOrEqual(Date.now())
    })

    it('has every way in which a record changes', async () => {
      const text = '{}'
      await done(insert('x'))
      await done({ action: 'replace', ...named('x', 1), isPublic: false, text })
      await done({ action: 'remove', ...named('x', 2) })
      await done({ action: 'restore', ...named('x', 2), isPublic: false, text })
      await done({ action: 'erase', ...named('x', 3) })
      await done(insert('y'))
      await done({ action: 'remove', ...named('y', 1) })
      await done({ action: 'purge', ...named('y', 1) })
      expect(await actions()).toEqual([
        ['record.created', 'x', 1],
        ['record.changed', 'x', 2],
        ['record.removed', 'x', 2],
        ['record.restored', 'x', 3],
        ['record.erased', 'x', 3],
        ['record.created', 'y', 1],
        ['record.removed', 'y', 1],
        ['record.erased', 'y', 1],
      ])
    })

    it('tells of every record that becomes public, and of every one that is not any more', async () => {
      const text = '{}'
      await done(insert('x', true))
      await done({ action: 'replace', ...named('x', 1), isPublic: true, text })
      await done({ action: 'replace', ...named('x', 2), isPublic: false, text })
      await done({ action: 'replace', ...named('x', 3), isPublic: true, text })
      await done({ action: 'remove', ...named('x', 4) })
      await done({ action: 'restore', ...named('x', 4), isPublic: true, text })
      await done({ action: 'erase', ...named('x', 5) })
      const flips = [...(await actions({ ...ALL, action: 'record.published' }))]
      expect(flips).toEqual([
        ['record.published', 'x', 1],
        ['record.published', 'x', 4],
        ['record.published', 'x', 5],
      ])
      expect(await actions({ ...ALL, action: 'record.withdrawn' })).toEqual([
        ['record.withdrawn', 'x', 3],
        ['record.withdrawn', 'x', 4],
        ['record.withdrawn', 'x', 5],
      ])
    })

    it('does not take what a removed record leaves behind for the record that has its id after it', async () => {
      await done(insert('x', true))
      await done({ action: 'remove', ...named('x', 1) })
      await done(insert('x', true))
      await done({ action: 'purge', ...named('x', 1) })
      expect(await actions({ ...ALL, action: 'record.withdrawn' })).toEqual([['record.withdrawn', 'x', 1]])
    })

    it('has nothing of what was not done', async () => {
      const { records } = opened.store
      await done(insert('x'))
      await records.apply([insert('y'), insert('x')], ADA)
      await records.applyEach([insert('x')], ADA)
      await records.apply([{ action: 'erase', ...named('x', 7) }], ADA)
      await records.apply([{ action: 'expect', ...named('x', 1) }], ADA)
      await records.apply([{ action: 'erase', ...named('x', 1), accountId: 'a2' }], ADA)
      await expect(records.apply([insert('y'), { ...insert('z'), text: '[1' } as Change], ADA)).rejects.toThrow()
      expect(await actions()).toEqual([['record.created', 'x', 1]])
    })

    it('has each record of a bulk write, and nothing that only follows from another change', async () => {
      await opened.store.records.applyEach([insert('x'), insert('y')], ADA)
      await opened.store.records.apply([insert('z'), { ...insert('bank'), follows: true }], ADA)
      expect((await actions()).map(([, object]) => object)).toEqual(['x', 'y', 'z'])
    })

    it('names apart what was computed anew', async () => {
      await done(insert('x'))
      const again = { action: 'replace', ...named('x', 1), text: '{"a":2}' } as const
      await done({ ...again, isPublic: false, keepsRevision: false, isRecomputed: true })
      expect(await actions()).toEqual([
        ['record.created', 'x', 1],
        ['record.recomputed', 'x', 2],
      ])
    })

    it('has what is done in nobody’s name as done by the program', async () => {
      await opened.store.records.apply([insert('x')])
      expect(await opened.store.audit.read(ALL)).toMatchObject([{ via: 'server', user: null, account: null }])
    })

    it('has every write to users, accounts and tokens, but not the use of a token', async () => {
      const { accounts } = opened.store
      const account = { slug: 'ada', email: null, createdAt: 1, title: null, description: null }
      const user = { email: null, passwordHash: 'h', createdAt: 1, disabledAt: null }
      const personal = (name: string) => ({ ...account, id: `a-${name}`, name, type: 'personal' as const })
      const person = (name: string) => ({ ...user, id: `u-${name}`, name, slug: name, defaultAccountId: `a-${name}` })
      const lab = { ...account, id: 'a-lab', name: 'lab', type: 'organization' as const }
      const token = {
        id: 't1',
        kind: 'api' as const,
        name: 'laptop',
        hash: 'secret hash',
        userId: 'u-ada',
        accountId: 'a-ada',
        oneAccount: true,
        readOnly: false,
        createdAt: 1,
        lastUsedAt: null,
        expiresAt: null,
        endedAt: null,
      }
      await accounts.insertUser(person('ada'), personal('ada'), ADA)
      await accounts.insertUser(person('ada'), personal('ada'), ADA)
      await accounts.insertUser(person('bob'), personal('bob'), ADA)
      await accounts.setPasswordHash('u-ada', 'another', ADA)
      await accounts.setUserDisabled('u-bob', 5, ADA)
      await accounts.setUserDisabled('u-bob', null, ADA)
      await accounts.insertAccount(lab, 'u-ada', ADA)
      await accounts.changeAccount('a-lab', { title: 'Lab 2', description: 'long' }, ADA)
      await accounts.changeAccount('a-lab', { description: null }, ADA)
      await accounts.changeAccount('a-none', { title: 'None' }, ADA)
      await accounts.putMember('a-lab', 'u-bob', 'member', ADA)
      await accounts.passOwnership('a-lab', 'u-ada', 'u-bob', ADA)
      await accounts.removeMember('a-lab', 'u-ada', ADA)
      await accounts.removeAccount('a-lab', ADA)
      await accounts.insertToken(token, ADA)
      await accounts.insertToken({ ...token, id: 't2', hash: 'h2', kind: 'session' }, ADA)
      accounts.touchToken('t1', 10)
      await accounts.revokeToken('u-ada', 't1', ADA)
      await accounts.revokeToken('u-ada', 't2', ADA)
      await accounts.revokeToken('u-ada', 't2', ADA)
      await accounts.noteFailedLogin({ ...ADA, user: null, account: null })
      const rows = await opened.store.audit.read(ALL)
      expect(rows.map(({ action, kind, object, details }) => [action, `${kind}/${object}`, details])).toEqual([
        ['user.created', 'user/u-ada', { name: 'ada' }],
        ['user.created', 'user/u-bob', { name: 'bob' }],
        ['user.password-changed', 'user/u-ada', null],
        ['user.disabled', 'user/u-bob', null],
        ['user.enabled', 'user/u-bob', null],
        ['account.created', 'account/a-lab', { name: 'lab' }],
        ['account.changed', 'account/a-lab', { fields: 'title, description', title: 'Lab 2' }],
        ['account.changed', 'account/a-lab', { fields: 'description' }],
        ['member.put', 'account/a-lab', { of: 'u-bob', role: 'member' }],
        ['member.owner-passed', 'account/a-lab', { of: 'u-bob' }],
        ['member.removed', 'account/a-lab', { of: 'u-ada' }],
        ['account.removed', 'account/a-lab', null],
        ['token.created', 'token/t1', { name: 'laptop', of: 'u-ada', oneAccount: true, readOnly: false }],
        ['login.succeeded', 'token/t2', null],
        ['token.revoked', 'token/t1', { name: 'laptop', of: 'u-ada' }],
        ['session.ended', 'token/t2', { of: 'u-ada' }],
        ['login.failed', 'user/null', null],
      ])
      expect(JSON.stringify(rows)).not.toContain('hash')
    })

    it('finds rows by user, action, object, request and time, the latest so many, in their order', async () => {
      const { records, audit } = opened.store
      for (const [id, by] of [
        ['x', ADA],
        ['y', { ...ADA, user: 'u2', request: 'r-2' }],
        ['z', ADA],
      ] as const) {
        await records.apply([insert(id)], by)
      }
      await audit.note({ action: 'store.backed-up', kind: 'store', object: null, details: { file: 'b.db' } }, ADA)
      const objects = async (query: Partial<AuditQuery>) =>
        (await audit.read({ ...ALL, ...query })).map(({ object }) => object)
      expect(await objects({})).toEqual(['x', 'y', 'z', null])
      expect(await objects({ limit: 2 })).toEqual(['z', null])
      expect(await objects({ userId: 'u2' })).toEqual(['y'])
      expect(await objects({ userId: 'u1', action: 'record' })).toEqual(['x', 'z'])
      expect(await objects({ action: 'record.created' })).toEqual(['x', 'y', 'z'])
      expect(await objects({ action: 'recor' })).toEqual([])
      expect(await objects({ object: 'z' })).toEqual(['z'])
      expect(await objects({ request: 'r-2' })).toEqual(['y'])
      const times = (await audit.read(ALL)).map(({ at }) => at)
      expect(await objects({ since: (times[3] ?? 0) + 1 })).toEqual([])
      expect(await objects({ until: times[0] ?? 0 })).toEqual([])
      expect(await objects({ since: times[0] ?? 0, until: (times[3] ?? 0) + 1 })).toHaveLength(4)
    })
  })
}
