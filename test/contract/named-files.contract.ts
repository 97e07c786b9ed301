import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Change, RecordStore } from '../../src/store/port/record-store.ts'
import { insertion } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

const hashOf = (word: string) => createHash('sha256').update(word).digest('hex')
const withFiles = (...words: readonly string[]) => ({
  files: words.map((name) => ({ name, size: 1, sha256: hashOf(name), crc32: 0 })),
})

/** Which contents of files anything names, in every record store. */
export function namedFilesContract(target: StoreTarget): void {
  describe(`contents that are named in ${target.name}`, () => {
    let opened: OpenTarget
    let records: RecordStore
    beforeAll(async () => {
      opened = await target.open()
      records = opened.store.records
    })
    afterAll(() => opened.dispose())

    const named = async (...words: readonly string[]) => {
      const found = await records.namedFiles(words.map(hashOf))
      return words.filter((word) => found.has(hashOf(word)))
    }
    const of = (id: string, expectedVersion: number, accountId = 'ada') => ({
      collection: 'c',
      id,
      accountId,
      expectedVersion,
    })
    const write = (id: string, version: number, words: readonly string[], extra: object = {}) =>
      ({
        action: 'replace',
        ...of(id, version),
        isPublic: false,
        text: JSON.stringify(withFiles(...words)),
        ...extra,
      }) as Change

    it('are those of records of all accounts and of what is public, of earlier versions, and of removed records', async () => {
      await records.apply([
        insertion('c', 'a', withFiles('own', 'before'), { accountId: 'ada' }),
        insertion('c', 'b', withFiles('public'), { accountId: 'bob', isPublic: true }),
        insertion('d', 'c', withFiles('removed'), { accountId: 'ada' }),
        insertion('d', 'd', { name: hashOf('not a file') }, { accountId: 'ada' }),
      ])
      await records.apply([write('a', 1, ['own'])])
      await records.apply([{ action: 'remove', ...of('c', 1), collection: 'd' }])
      const all = ['own', 'before', 'public', 'removed']
      expect(await named(...all, 'nowhere', 'not a file')).toEqual(all)
      expect(await named()).toEqual([])
      await records.apply([{ action: 'erase', ...of('a', 2) }])
      await records.apply([{ action: 'purge', ...of('c', 1), collection: 'd' }])
      expect(await named(...all)).toEqual(['public'])
    })

    it('are found in thousands of records, wherever they go meanwhile', async () => {
      const insertions = Array.from({ length: 3000 }, (_, n) =>
        insertion('e', `${n}`, n % 3 === 0 ? withFiles(`${n}`) : {}, { accountId: 'ada' }),
      )
      await records.applyEach(insertions)
      const words = Array.from({ length: 1000 }, (_, n) => `${3 * n}`)
      let isOver = false
      const moving = (async () => {
        for (let version = 1; !isOver; version++) {
          const address = { ...of('2997', version), collection: 'e' }
          const text = JSON.stringify(withFiles('2997'))
          await records.apply([{ action: 'remove', ...address }])
          const [back] = await records.apply([{ action: 'restore', ...address, isPublic: version % 2 === 1, text }])
          expect(back?.outcome).toBe('done')
        }
      })()
      for (let round = 0; round < 5; round++) expect(await named(...words)).toHaveLength(1000)
      isOver = true
      await moving
    })

    it('are looked for no longer than somebody waits', async () => {
      const leaving = new AbortController()
      const asked = records.namedFiles([hashOf('nowhere')], leaving.signal)
      leaving.abort(new Error('no longer'))
      await expect(asked).rejects.toThrow('no longer')
    })
  })
}
