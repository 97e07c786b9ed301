import { describe, expect, test } from 'vitest'
import { assertOrganizationName } from '../../src/accounts/users.ts'
import { calledBy } from '../../web/app/called-by.ts'
import { proposedName } from '../../web/pages/account/proposed-name.ts'

describe('the name that is proposed for a title', () => {
  test.each([
    ['Surface Lab 2', 'surface-lab-2'],
    ['  Surface   Lab  ', 'surface-lab'],
    ['Surface.Lab_2', 'surface-lab-2'],
    ['Größe & Maß', 'grosse-mass'],
    ['Ærøskøbing', 'aeroskobing'],
    ['Łódź', 'lodz'],
    ['№ 5', 'no-5'],
    ['--- a1 ---', 'a1'],
    ['x'.repeat(100), 'x'.repeat(64)],
    [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
  ])('%s', (title, name) => {
    expect(proposedName(title)).toBe(name)
    expect(() => assertOrganizationName(name)).not.toThrow()
  })

  test.each(['', '  ', 'A', '…', '表面', '😀'])('is none for %j', (title) => expect(proposedName(title)).toBe(''))
})

test.each([
  [{ name: 'lab', title: 'The Lab' }, 'The Lab'],
  [{ name: 'lab', title: null }, 'lab'],
  [{ name: 'lab' }, 'lab'],
])('%j is called %s', (account, called) => expect(calledBy(account)).toBe(called))
