import { describe, expect, test } from 'vitest'
import { abilities, ago, left, type Token } from '../../web/pages/account/token.ts'
import { mayManage, type Role, rolesToGive } from '../../web/pages/organization/role.ts'

const NOW = Date.parse('2026-06-15T12:00:00Z')
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()

describe('a time is told in words', () => {
  test.each([
    [0, 'just now'],
    [-5, '5 minutes ago'],
    [-119, '119 minutes ago'],
    [-121, '2 hours ago'],
    [-47 * 60, '47 hours ago'],
    [-49 * 60, '2 days ago'],
    // A clock that is behind the server's.
    [3, 'just now'],
  ])('%d minutes from now', (minutes, words) => expect(ago(at(minutes), NOW)).toBe(words))

  test.each([
    [-1, 'expired'],
    [0, 'expired'],
    [30, '30 minutes left'],
    [5 * 60, '5 hours left'],
    [90 * 24 * 60, '90 days left'],
  ])('%d minutes before its end', (minutes, words) => expect(left(at(minutes), NOW)).toBe(words))
})

describe('what a token can do', () => {
  const accounts = [{ entity: { _id: 'a', name: 'ada' } }, { entity: { _id: 'l', name: 'lab', title: 'The Lab' } }]
  test.each<[fields: Partial<Token>, words: string]>([
    [{}, 'reads and writes, in all your accounts'],
    [{ readOnly: true }, 'reads, in all your accounts'],
    [{ oneAccount: true, accountId: 'a' }, 'reads and writes, in ada only'],
    [{ oneAccount: true, accountId: 'l' }, 'reads and writes, in The Lab only'],
    [{ oneAccount: true, accountId: 'b' }, 'reads and writes, in an account that you have left only'],
  ])('%j', (fields, words) => {
    const token = { readOnly: false, oneAccount: false, accountId: 'a', ...fields } as Token
    expect(abilities(token, accounts)).toBe(words)
  })
})

describe('who gives which role', () => {
  const ROLES: readonly Role[] = ['owner', 'administrator', 'member']

  test('nobody to the owner or to themselves, members to nobody', () => {
    for (const role of ROLES) {
      expect(rolesToGive(role, 'owner', false)).toEqual([])
      expect(rolesToGive(role, 'member', true)).toEqual([])
      expect(rolesToGive('member', role, false)).toEqual([])
    }
    expect(ROLES.map(mayManage)).toEqual([true, true, false])
  })

  test('only the owner passes the ownership on', () => {
    expect(rolesToGive('owner', 'administrator', false)).toContain('owner')
    expect(rolesToGive('administrator', 'administrator', false)).toEqual(['member', 'administrator'])
  })
})
