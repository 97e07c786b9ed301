import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { documentsOf, insertion, planOf } from '../support/plans.ts'
import type { OpenTarget, StoreTarget } from '../support/targets.ts'

/** What every store does besides its records and accounts. */
export function storeContract(target: StoreTarget): void {
  describe(`the store in ${target.name}`, () => {
    let opened: OpenTarget
    let directory: string

    beforeEach(async () => {
      opened = await target.open()
      directory = await mkdtemp(join(tmpdir(), 'quarry-backup-'))
    })
    afterEach(async () => {
      await opened.dispose()
      await rm(directory, { recursive: true, force: true })
    })

    it('keeps marks over a restart', async () => {
      expect(await opened.store.readMark('samples')).toBeNull()
      await opened.store.writeMark('samples', '1')
      await opened.store.writeMark('samples', '2')
      const store = await opened.reopen()
      expect(await store.readMark('samples')).toBe('2')
    })

    it('moves a mark from the value that it has only', async () => {
      const { store } = opened
      expect(await store.moveMark('turn', null, 'a')).toBe(true)
      expect(await store.moveMark('turn', null, 'b')).toBe(false)
      expect(await store.moveMark('turn', 'b', 'c')).toBe(false)
      expect(await store.readMark('turn')).toBe('a')
      expect(await store.moveMark('turn', 'a', 'b')).toBe(true)
      expect(await store.readMark('turn')).toBe('b')
    })

    it('keeps records, their order and their change counter over a restart', async () => {
      const { records } = opened.store
      await records.apply([insertion('c', 'b', { name: 'b' }), insertion('c', 'a', { name: 'a' })])
      const counter = await records.readChangeCounter({ kind: 'operator' })
      const store = await opened.reopen()
      expect(documentsOf(await store.records.find(planOf('c')))).toEqual([{ name: 'b' }, { name: 'a' }])
      expect(await store.records.readChangeCounter({ kind: 'operator' })).toBeGreaterThanOrEqual(counter)
    })

    it('finishes the writes that it took, and refuses later ones', async () => {
      const writes = Array.from({ length: 50 }, (_, i) => opened.store.records.apply([insertion('c', `${i}`, { i })]))
      const closed = opened.store.close()
      await expect(opened.store.records.apply([insertion('c', 'late', {})])).rejects.toMatchObject({ code: 50304 })
      await closed
      const results = (await Promise.all(writes)).flat()
      expect(results.every(({ outcome }) => outcome === 'done')).toBe(true)
      const store = await opened.reopen()
      expect(await store.records.count(planOf('c'))).toBe(50)
    })

    it('answers that it can serve, until it is closed', async () => {
      await opened.store.ping()
      await opened.store.close()
      const { records, accounts } = opened.store
      const refused: (() => Promise<unknown>)[] = [
        () => opened.store.ping(),
        () => opened.store.readMark('x'),
        () => opened.store.writeMark('x', 'y'),
        () => opened.store.check(() => {}),
        () => records.find(planOf('c')),
        () => records.count(planOf('c')),
        () => records.read('c', { kind: 'operator' }, 'x'),
        () => records.stream(planOf('c'))[Symbol.asyncIterator]().next(),
        () => accounts.resolveToken('x'),
        () => accounts.setUserDisabled('x', null),
      ]
      for (const ask of refused) await expect(ask()).rejects.toMatchObject({ code: 50304 })
    })

    it('finds nothing wrong with what it wrote, whatever was changed and removed', async () => {
      const { records } = opened.store
      await records.applyEach(
        Array.from({ length: 40 }, (_, i) =>
          insertion('c', `${i}`, { i, tags: ['a', `t${i % 3}`], deep: { list: [{ x: i }, [i, [i]]] } }),
        ),
      )
      await records.applyEach(
        Array.from({ length: 40 }, (_, i) =>
          i % 2 === 0
            ? ({ action: 'remove', collection: 'c', id: `${i}`, accountId: 'owner', expectedVersion: 1 } as const)
            : ({
                action: 'replace',
                collection: 'c',
                id: `${i}`,
                accountId: 'owner',
                expectedVersion: 1,
                isPublic: i % 3 === 0,
                text: JSON.stringify({
                  i: null,
                  tags: [i],
                  long: 'é'.repeat(300),
                  vector: [1, 2, 3, 4, 5, 6, 7, 8, 9],
                }),
              } as const),
        ),
      )
      const progress: [number, number][] = []
      expect(await opened.store.check((done, total) => progress.push([done, total]))).toEqual([])
      expect(progress.at(-1)).toEqual([20, 20])
    })
  })
}
