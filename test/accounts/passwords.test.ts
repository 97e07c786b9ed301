import { describe, expect, test } from 'vitest'
import { createPasswords, createWorkQueue } from '../../src/accounts/passwords.ts'
import { DEFAULT_ACCOUNT_SETTINGS } from '../../src/accounts/settings.ts'
import { processorMs } from '../support/processor-time.ts'

const CHEAP = { ...DEFAULT_ACCOUNT_SETTINGS, passwordMemoryKib: 64, passwordPasses: 1 }

describe('a password', () => {
  const passwords = createPasswords(CHEAP)

  test('fits its own hash and no other does', async () => {
    const hash = await passwords.hash('correct horse')
    expect(hash).toMatch(/^\$argon2id\$/)
    expect(await passwords.verify(hash, 'correct horse')).toBe(true)
    expect(await passwords.verify(hash, 'Correct horse')).toBe(false)
    expect(await passwords.verify(hash, '')).toBe(false)
  })

  test('is the same however its letters are composed', async () => {
    expect(await passwords.verify(await passwords.hash('caf\u00e9 noir'), 'cafe\u0301 noir')).toBe(true)
  })

  test('of nobody is never right', async () => {
    expect(await passwords.verify(null, '')).toBe(false)
    expect(await passwords.verify(null, 'anything')).toBe(false)
  })

  test('of nobody takes as long as that of somebody', async () => {
    const slow = createPasswords({ ...CHEAP, passwordMemoryKib: 16_384, passwordPasses: 2 })
    const hash = await slow.hash('correct horse')
    const time = (stored: string | null) => processorMs(() => slow.verify(stored, 'wrong horse'))
    // In turns, so that whatever else the machine does slows both alike.
    const ratios: number[] = []
    for (let n = 0; n < 9; n++) ratios.push((await time(null)) / (await time(hash)))
    const ratio = ratios.sort((a, b) => a - b)[4] ?? 0
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  })

  test('has to wait its turn, and is refused with 503 when too many wait', async () => {
    const busy = createPasswords({ ...CHEAP, passwordConcurrency: 1, passwordQueue: 2 })
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => busy.hash('correct horse')))
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map(({ reason }) => reason.code)).toEqual([50320, 50320])
  })
})

describe('a work queue', () => {
  test('never runs more at a time than it may, also after failures', async () => {
    const queue = createWorkQueue(3, 100, () => new Error('full'))
    const running: (() => void)[] = []
    const task = () => new Promise((_, reject) => running.push(() => reject(new Error('fails'))))
    const outcomes = Promise.allSettled(Array.from({ length: 20 }, () => queue(task)))
    for (let left = 20; left > 0; left--) {
      await expect.poll(() => running.length).toBe(Math.min(left, 3))
      running.shift()?.()
    }
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']))
    expect(await queue(async () => 'still works')).toBe('still works')
  })
})
