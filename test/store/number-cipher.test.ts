import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { EVERY_HOME } from '../../src/store/number-cipher.ts'
import { numberCipher } from '../../src/store/sqlite/base/database.ts'
import { migrate } from '../../src/store/sqlite/schema/migrate.ts'
import { bitsApart } from '../support/bits-apart.ts'

const connection = new Database(':memory:')
migrate(connection, 0)
const cipher = numberCipher(connection)
const MATERIALS = { collection: 1, homes: [0, 17] }

describe('numbers that leave the store', () => {
  afterAll(() => connection.close())

  it('are words that are alike for one number, and of any two numbers tell nothing', () => {
    const serials = Array.from({ length: 2000 }, (_, n) => cipher.serialOf(n))
    expect(serials).toEqual(Array.from({ length: 2000 }, (_, n) => numberCipher(connection).serialOf(n)))
    expect(new Set(serials).size).toBe(2000)
    for (const serial of serials) expect(serial).toMatch(/^[\w-]{22}$/)
    // Of 128 bits, 64 differ on the average, ± 6: fewer than 25 do once in 10^12 pairs.
    for (let n = 1; n < 2000; n += 1) {
      expect(bitsApart(serials[n - 1] as string, serials[n] as string)).toBeGreaterThan(24)
      expect(bitsApart(serials[0] as string, serials[n] as string)).toBeGreaterThan(24)
    }
  })

  it.each([
    [{ numbers: [0, -1], home: 0 }],
    [{ numbers: [-1, 12], home: 1 }],
    [{ numbers: [2 ** 40, 2 ** 48 - 2], home: 1 }],
  ])('are read where they were written, in a list: %j', (position) => {
    const text = cipher.writePosition(MATERIALS, position)
    expect(cipher.readPosition(MATERIALS, text)).toEqual(position)
    expect(numberCipher(connection).readPosition(MATERIALS, text)).toEqual(position)
  })

  it('are no place in another list', () => {
    const text = cipher.writePosition(MATERIALS, { numbers: [3, 4], home: 1 })
    for (const list of [
      { collection: 2, homes: [0, 17] },
      { collection: 1, homes: [0, 18] },
      { collection: 1, homes: [17, 0] },
      { collection: 1, homes: [0] },
      { collection: 1, homes: [EVERY_HOME] },
    ])
      expect(cipher.readPosition(list, text)).toBeNull()
  })

  it('are no place when nobody wrote them', () => {
    const text = cipher.writePosition(MATERIALS, { numbers: [3, 4], home: 0 })
    const [open, own] = [text.slice(0, 22), cipher.serialOf(4)]
    for (const forged of ['', 'x', text.slice(1), `${text}AAAA`, `B${text.slice(1)}`, own, 'A'.repeat(22), open + open])
      expect(cipher.readPosition(MATERIALS, forged)).toBeNull()
    for (let byte = 0; byte < 32; byte += 1) {
      const bytes = Buffer.from(text, 'base64url')
      bytes[byte] = (bytes[byte] as number) ^ 1
      expect(cipher.readPosition(MATERIALS, bytes.toString('base64url'))).toBeNull()
    }
    // What was refused has left nothing behind in the cipher.
    expect(cipher.readPosition(MATERIALS, text)).toEqual({ numbers: [3, 4], home: 0 })
  })

  it('go on in a home that the asker has got since', () => {
    const asGuest = { collection: 1, homes: [0] }
    const text = cipher.writePosition(asGuest, { numbers: [3], home: 0 })
    expect(cipher.readPosition(MATERIALS, text)).toEqual({ numbers: [3, -1], home: 0 })
  })

  it('are other words in another file', () => {
    const other = new Database(':memory:')
    migrate(other, 0)
    const text = cipher.writePosition(MATERIALS, { numbers: [3, 4], home: 1 })
    expect(numberCipher(other).serialOf(1)).not.toBe(cipher.serialOf(1))
    expect(numberCipher(other).readPosition(MATERIALS, text)).toBeNull()
    other.close()
  })

  it('stay in it when the file has lost its key', () => {
    const other = new Database(':memory:')
    migrate(other, 0)
    other.exec('DELETE FROM number_key')
    expect(() => numberCipher(other)).toThrow('has lost the key of its numbers')
    other.close()
  })
})
