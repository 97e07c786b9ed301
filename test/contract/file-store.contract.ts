import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ByteRange, FileStore } from '../../src/store/port/file-store.ts'

/** A store of files under test. */
export interface OpenFiles {
  readonly files: FileStore
  /** Opens the same storage again, as another process would. */
  again(): Promise<FileStore>
  /** Makes a content, or an upload, as old as that. */
  age(sha256: string, milliseconds: number): Promise<void>
  ageUpload(upload: string, milliseconds: number): Promise<void>
  dispose(): Promise<void>
}

const HOUR = 3_600_000
const BYTES = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251))
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* pieces(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.subarray(at, at + size))
}

async function* broken(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* pieces(bytes)
  throw new Error('the line was cut')
}

/** What every store of files does. */
export function fileStoreContract(name: string, open: () => Promise<OpenFiles>): void {
  describe(`files in ${name}`, () => {
    let opened: OpenFiles
    let files: FileStore
    beforeEach(async () => {
      opened = await open()
      files = opened.files
    })
    afterEach(() => opened.dispose())

    let last = 0
    const store = async (bytes: Uint8Array, to = files) => {
      const upload = `upload-${++last}`
      await to.take(upload, 0, pieces(bytes))
      return to.keep(upload)
    }
    const read = async (sha256: string, range?: ByteRange) => {
      const parts: Uint8Array[] = []
      for await (const part of files.read(sha256, range)) parts.push(part)
      return Buffer.concat(parts)
    }
    const unused = async (milliseconds: number) => {
      const found: string[] = []
      for await (const sha256 of files.unusedFor(milliseconds)) found.push(sha256)
      return found
    }

    it('keeps what has arrived under its hash, once, with its size and check sum', async () => {
      const content = { sha256: sha256Of(BYTES), size: BYTES.length, crc32: crc32(BYTES) }
      expect(await store(BYTES)).toEqual(content)
      expect(await store(BYTES)).toEqual(content)
      expect(await files.find(content.sha256)).toBe(BYTES.length)
      expect((await read(content.sha256)).equals(BYTES)).toBe(true)
      expect(await store(Buffer.alloc(0))).toEqual({ sha256: sha256Of(Buffer.alloc(0)), size: 0, crc32: 0 })
    })

    it('reads a part', async () => {
      const { sha256 } = await store(BYTES)
      for (const [from, to] of [
        [0, 1],
        [70_000, 140_001],
        [299_999, 300_000],
      ] as const) {
        expect((await read(sha256, { from, to })).equals(BYTES.subarray(from, to))).toBe(true)
      }
    })

    it('goes on with what broke off, in another process too, from wherever it is told', async () => {
      await expect(files.take('u', 0, broken(BYTES.subarray(0, 100_000)))).rejects.toThrow('the line was cut')
      expect(await files.arrived('u')).toBe(100_000)
      const other = await opened.again()
      expect(await other.arrived('u')).toBe(100_000)
      expect(await other.take('u', 90_000, pieces(BYTES.subarray(90_000)))).toBe(300_000)
      expect(await other.keep('u')).toMatchObject({ sha256: sha256Of(BYTES), crc32: crc32(BYTES) })
      expect(await other.arrived('u')).toBe(0)
      await other.close()
    })

    it('has nothing of what was behind the place where it went on', async () => {
      await files.take('u', 0, pieces(BYTES))
      expect(await files.take('u', 100_000, pieces(BYTES.subarray(0, 5)))).toBe(100_005)
      const content = Buffer.concat([BYTES.subarray(0, 100_000), BYTES.subarray(0, 5)])
      const { sha256, size } = await files.keep('u')
      expect([sha256, size]).toEqual([sha256Of(content), content.length])
      expect((await read(sha256)).equals(content)).toBe(true)
    })

    it('is not taken over by a request that came first and sends nothing before the last one does', async () => {
      let goOn = () => {}
      const waiting = new Promise<void>((resolve) => {
        goOn = resolve
      })
      async function* late() {
        await waiting
        yield* pieces(BYTES.subarray(0, 10))
      }
      const first = files.take('u', 0, late())
      await files.take('u', 0, pieces(BYTES.subarray(0, 200_000)))
      goOn()
      await expect(first).rejects.toMatchObject({ code: 40941 })
      expect(await files.take('u', 200_000, pieces(BYTES.subarray(200_000)))).toBe(300_000)
      expect((await files.keep('u')).sha256).toBe(sha256Of(BYTES))
    })

    it('counts as used from when it is whole, however old its upload is', async () => {
      await files.take('u', 0, pieces(BYTES))
      await opened.ageUpload('u', 2 * HOUR)
      const { sha256 } = await files.keep('u')
      expect(await unused(HOUR)).toEqual([])
      expect(await files.remove(sha256, HOUR)).toBeNull()
    })

    it('goes on in the request that came last', async () => {
      let goOn = () => {}
      const waiting = new Promise<void>((resolve) => {
        goOn = resolve
      })
      async function* slow() {
        yield* pieces(BYTES.subarray(0, 100_000))
        await waiting
        yield* pieces(BYTES.subarray(100_000))
      }
      const first = files.take('u', 0, slow())
      await expect.poll(() => files.arrived('u')).toBeGreaterThan(0)
      const second = await files.take('u', 0, pieces(BYTES))
      goOn()
      await expect(first).rejects.toMatchObject({ code: 40941 })
      expect(second).toBe(300_000)
      expect((await files.keep('u')).sha256).toBe(sha256Of(BYTES))
    })

    it('lets go of what has arrived', async () => {
      await files.take('u', 0, pieces(BYTES))
      await files.drop('u')
      expect(await files.arrived('u')).toBe(0)
    })

    it('finds nothing where there is none, and says so to who reads', async () => {
      const none = '0'.repeat(64)
      expect(await files.find(none)).toBeNull()
      await expect(read(none)).rejects.toMatchObject({ code: 50313 })
      await expect(files.borrow(none)).rejects.toMatchObject({ code: 50313 })
      expect(await files.remove(none, 0)).toBeNull()
    })

    it('lends a content as a file', async () => {
      const { sha256 } = await store(BYTES)
      const { path, release } = await files.borrow(sha256)
      expect((await readFile(path)).equals(BYTES)).toBe(true)
      await release()
      expect(await files.find(sha256)).toBe(BYTES.length)
    })

    it('knows what was not used for long, and removes it, not what was found or stored meanwhile', async () => {
      const hashes: string[] = []
      for (const text of ['one', 'two', 'three', 'four']) hashes.push((await store(Buffer.from(text))).sha256)
      const [one, two, three] = hashes as [string, string, string]
      expect(await unused(HOUR)).toEqual([])
      expect(await unused(0)).toEqual([...hashes].sort())
      for (const sha256 of [one, two, three]) await opened.age(sha256, 2 * HOUR)
      expect(await unused(HOUR)).toEqual([one, two, three].sort())
      expect(await files.find(two)).toBe(3)
      await store(Buffer.from('three'))
      expect(await unused(HOUR)).toEqual([one])
      expect(await Promise.all(hashes.map((sha256) => files.remove(sha256, HOUR)))).toEqual([3, null, null, null])
      expect(await Promise.all(hashes.map((sha256) => files.find(sha256)))).toEqual([null, 3, 5, 4])
      expect(files.metrics().map(([, value]) => value)).toEqual([1, 3])
    })

    it('lets go of uploads that had no bytes for long', async () => {
      await files.take('old', 0, pieces(BYTES))
      await files.take('new', 0, pieces(BYTES))
      await opened.ageUpload('old', 2 * HOUR)
      await unused(HOUR)
      expect([await files.arrived('old'), await files.arrived('new')]).toEqual([0, 300_000])
    })

    it('keeps what is stored while it is removed', async () => {
      for (let round = 0; round < 40; round++) {
        const bytes = Buffer.from(`round ${round % 4}`)
        const { sha256 } = await store(bytes)
        await opened.age(sha256, 2 * HOUR)
        await files.take('again', 0, pieces(bytes))
        const [, removed] = await Promise.all([files.keep('again'), files.remove(sha256, HOUR)])
        expect([removed === null || removed === bytes.length, await files.find(sha256)]).toEqual([true, bytes.length])
        expect((await read(sha256)).equals(bytes)).toBe(true)
      }
    })
  })
}
