import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  AccountRow,
  AccountStore,
  AccountWords,
  MeterUse,
  TokenRow,
  UserRow,
} from '../../src/store/port/account-store.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

/** What every account store does. */
export function accountStoreContract(target: StoreTarget): void {
  describe(`accounts in ${target.name}`, () => {
    let opened: OpenTarget
    let accounts: AccountStore

    beforeAll(async () => {
      opened = await target.open()
      accounts = opened.store.accounts
    })
    afterAll(() => opened.dispose())

    const accountRow = (name: string): AccountRow => ({
      id: `account-${name}`,
      name,
      slug: name.toLowerCase(),
      type: 'personal',
      email: null,
      createdAt: 1000,
      title: null,
      description: null,
    })

    const userRow = (name: string, email: string | null = null): UserRow => ({
      id: `user-${name}`,
      name,
      slug: name.toLowerCase(),
      email,
      passwordHash: '$argon2id$…',
      defaultAccountId: `account-${name}`,
      createdAt: 1000,
      disabledAt: null,
    })

    const tokenRow = (id: string, name: string, changes: Partial<TokenRow> = {}): TokenRow => ({
      id,
      kind: 'api',
      name: 'script',
      hash: `hash-${id}`,
      userId: `user-${name}`,
      accountId: `account-${name}`,
      oneAccount: false,
      readOnly: true,
      createdAt: 5000,
      lastUsedAt: null,
      expiresAt: 9_000_000_000_000,
      endedAt: null,
      ...changes,
    })

    const addUser = (name: string, email: string | null = null) =>
      accounts.insertUser(userRow(name, email), accountRow(name))

    it('has another version when something is changed or taken away, and none for uses and what is only added', async () => {
      await addUser('Hertha')
      await addUser('Karl')
      const lab = { ...accountRow('Version'), type: 'organization' } as const
      const [hertha, karl, account] = ['user-Hertha', 'user-Karl', lab.id]
      const versions = [await accounts.readAccountsVersion()]
      const grows = async (write: Promise<unknown>): Promise<boolean> => {
        await write
        versions.push(await accounts.readAccountsVersion())
        return (versions.at(-1) ?? 0) > (versions.at(-2) ?? 0)
      }
      const changes: readonly (() => Promise<unknown>)[] = [
        () => accounts.putMember(account, karl, 'administrator'),
        () => accounts.passOwnership(account, hertha, karl),
        () => accounts.removeMember(account, hertha),
        () => accounts.setPasswordHash(hertha, 'another'),
        () => accounts.setUserDisabled(hertha, 1),
        () => accounts.setUserDisabled(hertha, null),
        () => accounts.endToken('version-1', 1),
        () => accounts.revokeToken(hertha, 'version-1'),
        () => accounts.changeAccount(account, { title: 'Versions' }),
        () => accounts.removeAccount(account),
      ]
      await accounts.insertAccount(lab, hertha)
      await accounts.putMember(account, karl, 'member')
      await accounts.insertToken(tokenRow('version-1', 'Hertha'))
      await grows(Promise.resolve())
      for (const change of changes) expect([String(change), await grows(change())]).toEqual([String(change), true])
      const now = versions.at(-1)
      await accounts.insertToken(tokenRow('version-2', 'Hertha'))
      accounts.touchToken('version-2', 90_000)
      const isNoted = async () => (await accounts.listTokens(hertha))[0]?.lastUsedAt
      await expect.poll(isNoted).toBe(90_000)
      await accounts.noteAddress(hertha, 'digest', 1)
      expect(await accounts.readAccountsVersion()).toBe(now)
    })

    it('finds a user by name and by e-mail, without regard to case', async () => {
      expect(await addUser('Ada', 'Ada@Example.org')).toBe('done')
      for (const login of ['Ada', 'ADA', 'ada@example.ORG']) {
        expect(await accounts.findUserByLogin(login)).toEqual(userRow('Ada', 'Ada@Example.org'))
      }
      expect(await accounts.findUser('user-Ada')).toEqual(userRow('Ada', 'Ada@Example.org'))
      expect(await accounts.findUserByLogin('nobody')).toBeNull()
      expect(await accounts.findUser('nobody')).toBeNull()
    })

    it('names the field that somebody else has, and then adds nothing', async () => {
      await addUser('Emmy', 'emmy@example.org')
      expect(await accounts.insertUser({ ...userRow('EMMY'), id: 'u2' }, { ...accountRow('EMMY'), id: 'a2' })).toEqual({
        taken: 'name',
      })
      expect(await addUser('Noether', 'Emmy@example.org')).toEqual({ taken: 'email' })
      expect(await accounts.findUserByLogin('Noether')).toBeNull()
      expect(await accounts.findAccount('account-Noether')).toBeNull()
    })

    it('lets nobody take a name that is somebody’s e-mail, or the other way round', async () => {
      await addUser('Lise', 'lise@example.org')
      expect(await addUser('LISE@example.org')).toEqual({ taken: 'name' })
      expect(await addUser('other', 'Lise')).toEqual({ taken: 'email' })
    })

    it('gives exactly one of two simultaneous users the name', async () => {
      const results = await Promise.all([addUser('Twin'), addUser('TWIN')])
      expect(results.filter((result) => result === 'done')).toHaveLength(1)
    })

    it('lists users in the order in which they were added', async () => {
      const names = (await accounts.listUsers()).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['Ada', 'Emmy', 'Lise']))
    })

    it('disables, enables and gives a new password', async () => {
      await addUser('Marie')
      await accounts.setUserDisabled('user-Marie', 77)
      await accounts.setPasswordHash('user-Marie', 'new')
      expect(await accounts.findUser('user-Marie')).toMatchObject({ disabledAt: 77, passwordHash: 'new' })
      await accounts.setUserDisabled('user-Marie', null)
      expect((await accounts.findUser('user-Marie'))?.disabledAt).toBeNull()
    })

    it('knows the accounts of a user, with the role', async () => {
      await addUser('Irene')
      const lab: AccountRow = { ...accountRow('Lab'), type: 'organization', createdAt: 2000 }
      expect(await accounts.insertAccount(lab, 'user-Irene')).toBe('done')
      expect(await accounts.insertAccount({ ...lab, id: 'other', name: 'LAB' }, 'user-Irene')).toEqual({
        taken: 'name',
      })
      expect(await accounts.accountsOf('user-Irene')).toEqual([
        { ...accountRow('Irene'), role: 'owner' },
        { ...lab, role: 'owner' },
      ])
      expect(await accounts.findAccount('account-Lab')).toEqual(lab)
      expect(await accounts.accountsOf('nobody')).toEqual([])
    })

    const addLab = async (name: string, owner: string) => {
      const lab: AccountRow = { ...accountRow(name), type: 'organization', email: 'lab@example.org', createdAt: 2000 }
      expect(await accounts.insertAccount(lab, `user-${owner}`)).toBe('done')
      return lab
    }
    const rolesIn = async (accountId: string) =>
      (await accounts.membersOf(accountId)).map(({ user, role }) => `${user.name} ${role}`)

    it('finds an account by name, without regard to case', async () => {
      await addUser('Gerty')
      const lab = await addLab('Cori-Lab', 'Gerty')
      expect(await accounts.findAccountByName('CORI-lab')).toEqual(lab)
      expect(await accounts.findAccountByName('nobody')).toBeNull()
      expect((await accounts.listAccounts()).map(({ id }) => id)).toEqual(
        expect.arrayContaining(['account-Gerty', 'account-Cori-Lab']),
      )
    })

    it('keeps what an organization tells of itself, and changes what is named of it', async () => {
      await addUser('Teller')
      const words = { title: 'Lab № 2 “😀”', description: 'Two\nlines\tof it' }
      const lab: AccountRow = { ...accountRow('Told'), type: 'organization', ...words }
      await accounts.insertAccount(lab, 'user-Teller')
      await accounts.insertToken(tokenRow('told', 'Teller', { accountId: lab.id }))
      const changes: readonly Partial<AccountWords>[] = [
        {},
        { title: 'Another' },
        { description: 'Another' },
        { title: null },
        { title: 'Both', description: null },
      ]
      let now = lab
      for (const change of changes) {
        expect(await accounts.changeAccount(lab.id, change)).toBe('done')
        now = { ...now, ...change }
        expect(await accounts.findAccount(lab.id)).toEqual(now)
        expect((await accounts.resolveToken('hash-told'))?.account).toEqual(now)
        expect(await accounts.accountsOf('user-Teller')).toContainEqual({ ...now, role: 'owner' })
      }
      for (const id of ['nowhere', 'account-Teller'])
        expect(await accounts.changeAccount(id, { title: 'None' })).toBe('missing')
      expect(await accounts.findAccount('account-Teller')).toEqual(accountRow('Teller'))
    })

    it('takes members in, changes their roles and lets them go', async () => {
      for (const name of ['Owner', 'zoe', 'Yan']) await addUser(name)
      const { id } = await addLab('Members', 'Owner')
      expect(await accounts.putMember(id, 'user-zoe', 'member')).toBe('done')
      expect(await accounts.putMember(id, 'user-Yan', 'member')).toBe('done')
      expect(await accounts.putMember(id, 'user-zoe', 'administrator')).toBe('done')
      expect(await rolesIn(id)).toEqual(['Owner owner', 'Yan member', 'zoe administrator'])
      expect(await accounts.removeMember(id, 'user-Yan')).toBe('done')
      expect(await accounts.removeMember(id, 'user-Yan')).toBe('missing')
      expect(await rolesIn(id)).toEqual(['Owner owner', 'zoe administrator'])
      expect(await accounts.membersOf('nowhere')).toEqual([])
    })

    it('keeps exactly one owner', async () => {
      for (const name of ['First', 'Second', 'Third']) await addUser(name)
      const { id } = await addLab('Owned', 'First')
      await accounts.putMember(id, 'user-Second', 'member')
      expect(await accounts.putMember(id, 'user-First', 'member')).toBe('owner')
      expect(await accounts.removeMember(id, 'user-First')).toBe('owner')
      expect(await accounts.passOwnership(id, 'user-First', 'user-Third')).toBe('missing')
      expect(await accounts.passOwnership(id, 'user-Second', 'user-Second')).toBe('missing')
      expect(await accounts.passOwnership(id, 'user-First', 'user-Second')).toBe('done')
      expect(await accounts.passOwnership(id, 'user-First', 'user-Second')).toBe('missing')
      expect(await rolesIn(id)).toEqual(['Second owner', 'First administrator'])
    })

    it('removes an organization without records only', async () => {
      await addUser('Founder')
      const { id } = await addLab('Gone', 'Founder')
      await accounts.insertToken(tokenRow('t7', 'Founder', { accountId: id }))
      const record = { collection: 'materials', id: 'last-record', text: '{"_id":"last-record"}' }
      for (const isPublic of [true, false]) {
        await opened.store.records.apply([{ action: 'insert', accountId: id, isPublic, ...record, id: `r${isPublic}` }])
      }
      expect(await accounts.removeAccount(id)).toEqual({ records: 2 })
      const { id: empty } = await addLab('Empty', 'Founder')
      await accounts.insertToken(tokenRow('t8', 'Founder', { accountId: empty }))
      expect(await accounts.removeAccount(empty)).toBe('done')
      expect(await accounts.removeAccount(empty)).toBe('missing')
      expect(await accounts.findAccount(empty)).toBeNull()
      expect(await accounts.resolveToken('hash-t8')).toBeNull()
      expect((await accounts.accountsOf('user-Founder')).map(({ name }) => name)).toEqual(['Founder', 'Gone'])
      expect(await accounts.removeAccount('account-Founder')).toBe('missing')
    })

    it('resolves a token for any account of its user, unless it was made for one', async () => {
      for (const name of ['Barbara', 'Outsider']) await addUser(name)
      const { id } = await addLab('Reach', 'Barbara')
      await accounts.insertToken(tokenRow('t9', 'Barbara'))
      await accounts.insertToken(tokenRow('t10', 'Barbara', { oneAccount: true }))
      expect((await accounts.resolveToken('hash-t9', id))?.account.id).toBe(id)
      expect((await accounts.resolveToken('hash-t9', null))?.account.id).toBe('account-Barbara')
      expect((await accounts.resolveToken('hash-t10', 'account-Barbara'))?.token.oneAccount).toBe(true)
      expect(await accounts.resolveToken('hash-t10', id)).toBeNull()
      expect(await accounts.resolveToken('hash-t9', 'account-Outsider')).toBeNull()
      expect(await accounts.resolveToken('hash-t9', '')).toBeNull()
    })

    it('ends the tokens that a member made in an account that is left', async () => {
      for (const name of ['Host', 'Guest']) await addUser(name)
      const { id } = await addLab('Left', 'Host')
      await accounts.putMember(id, 'user-Guest', 'member')
      await accounts.insertToken(tokenRow('t11', 'Guest', { accountId: id }))
      await accounts.insertToken(tokenRow('t12', 'Guest'))
      await accounts.removeMember(id, 'user-Guest')
      await accounts.putMember(id, 'user-Guest', 'member')
      expect(await accounts.resolveToken('hash-t11')).toBeNull()
      expect((await accounts.resolveToken('hash-t12', id))?.role).toBe('member')
    })

    it('resolves a token to all that authentication needs', async () => {
      await addUser('Chien')
      const token = tokenRow('t1', 'Chien')
      await accounts.insertToken(token)
      expect(await accounts.resolveToken('hash-t1')).toEqual({
        token,
        user: userRow('Chien'),
        account: accountRow('Chien'),
        role: 'owner',
      })
      expect(await accounts.resolveToken('hash-nobody')).toBeNull()
    })

    it('forgets a revoked token at once', async () => {
      await addUser('Vera')
      await accounts.insertToken(tokenRow('t2', 'Vera'))
      await accounts.insertToken(tokenRow('t3', 'Vera', { kind: 'session', readOnly: false, expiresAt: null }))
      expect((await accounts.listTokens('user-Vera')).map(({ id }) => id)).toEqual(['t2', 't3'])
      expect(await accounts.revokeToken('user-Ada', 't2')).toBe(false)
      expect(await accounts.revokeToken('user-Vera', 't2')).toBe(true)
      expect(await accounts.revokeToken('user-Vera', 't2')).toBe(false)
      expect(await accounts.resolveToken('hash-t2')).toBeNull()
      expect(await accounts.resolveToken('hash-t3')).toMatchObject({ token: { readOnly: false, kind: 'session' } })
    })

    it('does not resolve a token for an account that its user does not belong to', async () => {
      await addUser('Stranger')
      await accounts.insertToken(tokenRow('t4', 'Stranger', { accountId: 'account-Ada' }))
      expect(await accounts.resolveToken('hash-t4')).toBeNull()
    })

    it('notes the uses of a token, at most one a minute', async () => {
      await addUser('Rosalind')
      await accounts.insertToken(tokenRow('t5', 'Rosalind'))
      const lastUse = async () => (await accounts.resolveToken('hash-t5'))?.token.lastUsedAt
      accounts.touchToken('t5', 100_000)
      await expect.poll(lastUse).toBe(100_000)
      accounts.touchToken('t5', 130_000)
      accounts.touchToken('t5', 170_000)
      await expect.poll(lastUse).toBe(170_000)
    })

    it('notes when a token was first found to have ended', async () => {
      await addUser('Ended')
      await accounts.insertToken(tokenRow('t-ended', 'Ended'))
      await accounts.endToken('t-ended', 7000)
      await accounts.endToken('t-ended', 8000)
      await accounts.endToken('no such token', 8000)
      expect((await accounts.listTokens('user-Ended'))[0]?.endedAt).toBe(7000)
      expect((await accounts.resolveToken('hash-t-ended'))?.token.endedAt).toBe(7000)
    })

    const meter = (key: string, limit: number): MeterUse => ({ key, share: 60_000 / limit, windowMs: 60_000 })

    it('counts on a meter until it is full, and tells how long it takes until it has room', async () => {
      for (const limit of [1, 3, 7, 30]) {
        const use = [meter(`full-${limit}`, limit)]
        for (let n = 0; n < limit; n++) expect(await accounts.countOn(use, 5000)).toBe(0)
        const wait = await accounts.countOn(use, 5000)
        expect(wait).toBeCloseTo(60_000 / limit, 0)
        expect(await accounts.countOn(use, 5000 + Math.ceil(wait) - 10)).toBeGreaterThan(0)
        expect(await accounts.countOn(use, 5000 + Math.ceil(wait))).toBe(0)
      }
    })

    it('counts on all meters or, when one is full, on none', async () => {
      expect(await accounts.countOn([meter('small', 1), meter('large', 2)], 1000)).toBe(0)
      expect(await accounts.countOn([meter('small', 1), meter('large', 2)], 1000)).toBe(60_000)
      expect(await accounts.countOn([meter('large', 2)], 1000)).toBe(0)
      expect(await accounts.countOn([meter('large', 2)], 1000)).toBe(30_000)
    })

    it('counts each of the events that come at the same time', async () => {
      const waits = await Promise.all(Array.from({ length: 10 }, () => accounts.countOn([meter('at once', 4)], 1000)))
      expect(waits.filter((wait) => wait === 0)).toHaveLength(4)
    })

    it('takes events back, and empties a meter', async () => {
      const use = meter('back', 2)
      await accounts.countOn([use], 1000)
      await accounts.countOn([use], 1000)
      await accounts.takeBackFrom([use], 1000)
      expect(await accounts.countOn([use], 1000)).toBe(0)
      expect(await accounts.countOn([use], 1000)).toBe(30_000)
      await accounts.takeBackFrom([{ ...use, share: 60_000 }, meter('never counted on', 1)], 1000)
      for (const wait of [0, 0, 30_000]) expect(await accounts.countOn([use], 1000)).toBe(wait)
    })

    it('lets nobody wait for longer than the window, also when the clock was ahead', async () => {
      await accounts.countOn([meter('ahead', 1)], 9_000_000)
      expect(await accounts.countOn([meter('ahead', 1)], 1000)).toBe(60_000)
    })

    it('knows the addresses of a user, those that were used last', async () => {
      await addUser('Traveller')
      await addUser('Other')
      for (let n = 0; n < 60; n++) await accounts.noteAddress('user-Traveller', `place-${n}`, 1000 + n)
      await accounts.noteAddress('user-Traveller', 'place-10', 500)
      const known = await Promise.all(
        Array.from({ length: 60 }, (_, n) => accounts.knowsAddress('user-Traveller', `place-${n}`)),
      )
      expect(known.lastIndexOf(false)).toBe(9)
      expect(known.filter((isKnown) => isKnown)).toHaveLength(50)
      expect(await accounts.knowsAddress('user-Other', 'place-59')).toBe(false)
      await accounts.noteAddress('no such user', 'place-1', 1000)
      expect(await accounts.knowsAddress('no such user', 'place-1')).toBe(false)
    })

    it('refuses a token of a user who does not exist', async () => {
      await expect(accounts.insertToken(tokenRow('t6', 'Nobody'))).rejects.toThrow()
    })
  })
}
