import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '../../src/accounts/session.ts'
import { createUser } from '../../src/accounts/users.ts'
import { backUpData } from '../../src/app/backup-data.ts'
import { readConfig } from '../../src/app/config.ts'
import { openServices, type Services } from '../../src/app/open-services.ts'
import { FILES_MARK, tendFiles } from '../../src/app/tend-files.ts'
import { operatorSession } from '../../src/cli/console/operator-session.ts'
import { type Log, SILENT_LOG } from '../../src/kernel/log.ts'
import { materialKind } from '../../src/records/kinds/material/material-kind.ts'
import { copyRecord, createRecord } from '../../src/records/use-cases/create-record.ts'
import { getFile, putFile, removeFile } from '../../src/records/use-cases/files.ts'
import { contentPath } from '../../src/store/files/content-path.ts'
import { material } from '../http/support/records.ts'

const HOUR = 3_600_000
const TIMES = { firstMs: 1, lookMs: 5, againMs: 1, graceMs: HOUR, pauseMs: 1 }

let directory: string
let services: Services
let session: Session
let told: (readonly [name: string, data: object])[] = []
const log: Log = { ...SILENT_LOG, tell: ({ name }, data) => void told.push([name, data]) }
beforeEach(async () => {
  told = []
  directory = mkdtempSync(join(tmpdir(), 'quarry-collect-'))
  const terms = { data: directory, symmetry: 'off', passwordMemoryKib: '1024', workerThreads: '1' } as const
  services = await openServices(readConfig(terms, {}, null))
  await createUser(services.accounts, { name: 'ada', password: 'correct horse battery' })
  session = await operatorSession(services.accounts, 'ada')
})
afterEach(async () => {
  await services.close()
  rmSync(directory, { recursive: true })
})

const collection = () => ({ deps: services.records, kind: materialKind, session })
const newRecord = async (name: string) => (await createRecord(collection(), material(name) as never)).id
async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(Buffer.from(text))
}
const put = async (id: string, name: string, text: string) => {
  const put = await putFile(collection(), { id, name, bytes: once(text), offset: 0, total: text.length, sha256: null })
  if (!('file' in put)) throw new Error('the file did not arrive')
  return put.file.sha256
}
const read = async (id: string, name: string) => {
  const { sha256 } = await getFile(collection(), { id, name })
  const parts: Uint8Array[] = []
  for await (const part of services.records.files.read(sha256)) parts.push(part)
  return Buffer.concat(parts).toString()
}
const age = (...hashes: readonly string[]) => {
  const then = new Date(Date.now() - 2 * HOUR)
  for (const sha256 of hashes) utimesSync(contentPath(join(directory, 'files'), sha256), then, then)
}
const contents = async () =>
  (await readdir(join(directory, 'files'), { recursive: true }).catch(() => []))
    .map((path) => path.split('/').at(-1) ?? '')
    .filter((name) => name.length === 64)
    .sort()

describe('a server', () => {
  it('removes the contents that nothing names, when a day has gone by', async () => {
    const id = await newRecord('a')
    const kept = [
      await put(id, 'kept', 'kept'),
      await put(id, 'before', 'in an earlier version'),
      await put(id, 'young', 'young'),
    ]
    await removeFile(collection(), { id, name: 'before' })
    await services.records.files.take('u', 0, once('never named'))
    const { sha256: unnamed } = await services.records.files.keep('u')
    expect(await contents()).toEqual([...kept, unnamed].sort())
    age(kept[0] as string, kept[1] as string, unnamed)
    const end = tendFiles({ ...services, log }, TIMES)
    await expect.poll(() => told).toEqual([['files.collected', { count: 1, bytes: 11 }]])
    await end()
    expect(await contents()).toEqual([...kept].sort())
    expect(await read(id, 'kept')).toBe('kept')
    const metrics = Object.fromEntries(services.metrics().map(([{ name }, value]) => [name, value]))
    expect(metrics).toMatchObject({ quarry_files_removed_total: 1, quarry_file_bytes_removed_total: 11 })
  })

  it('does so once a day, of all processes over the data', async () => {
    await services.records.files.take('u', 0, once('never named'))
    const { sha256 } = await services.records.files.keep('u')
    age(sha256)
    const now = services.records.clock()
    await services.store.writeMark(FILES_MARK, `somebody ${now}`)
    let looks = 0
    const readMark = (name: string) => {
      looks += 1
      return services.store.readMark(name)
    }
    const store = Object.create(services.store, { readMark: { value: readMark } })
    const end = tendFiles({ ...services, store }, { ...TIMES, againMs: HOUR })
    await expect.poll(() => looks).toBeGreaterThan(2)
    await end()
    expect(await contents()).toEqual([sha256])
  })

  it('loses no file that comes to a record while it removes contents: every one had been there unnamed', async () => {
    const texts = Array.from({ length: 60 }, (_, n) => `content ${n}`)
    for (const text of texts) {
      await services.records.files.take('u', 0, once(text))
      age((await services.records.files.keep('u')).sha256)
    }
    const id = await newRecord('a')
    const end = tendFiles(services, { ...TIMES, lookMs: 1 })
    for (const text of texts) await put(id, text, text)
    await end()
    expect(await Promise.all(texts.map((text) => read(id, text)))).toEqual(texts)
  })

  it('keeps what came to a record after nothing had named it, and what a copy names', async () => {
    const { files, store } = services.records
    await files.take('u', 0, once('found again'))
    const { sha256 } = await files.keep('u')
    const [id, original] = [await newRecord('a'), await newRecord('b')]
    const copied = await put(original, 'file', 'copied')
    age(sha256, copied)
    let copy = ''
    // Between finding out that nothing names them and removing them.
    const late = Object.create(store, {
      namedFiles: {
        value: async (hashes: readonly string[]) => {
          const named = new Set(await store.namedFiles(hashes))
          named.delete(copied)
          await put(id, 'file', 'found again')
          copy = (await copyRecord(collection(), original)).id
          return named
        },
      },
    })
    const end = tendFiles({ ...services, records: { ...services.records, store: late } }, { ...TIMES, lookMs: HOUR })
    await expect.poll(() => copy).not.toBe('')
    await end()
    expect([await read(id, 'file'), await read(copy, 'file')]).toEqual(['found again', 'copied'])
  })

  it('removes nothing when a backup was begun while it looked', async () => {
    const { files, store } = services.records
    await files.take('u', 0, once('purged just now'))
    age((await files.keep('u')).sha256)
    let isAsked = false
    const late = Object.create(store, {
      namedFiles: {
        value: async (hashes: readonly string[]) => {
          const named = await store.namedFiles(hashes)
          const file = join(directory, 'copy.db')
          await backUpData(services, file, () => {})
          isAsked = true
          return named
        },
      },
    })
    const times = { ...TIMES, lookMs: HOUR, againMs: HOUR }
    const end = tendFiles({ ...services, records: { ...services.records, store: late } }, times)
    await expect.poll(() => isAsked).toBe(true)
    await end()
    expect(await contents()).toHaveLength(1)
  })

  it('tells that it could not find out what is named, and removes nothing then', async () => {
    await services.records.files.take('u', 0, once('never named'))
    age((await services.records.files.keep('u')).sha256)
    const failing = Object.create(services.records.store, {
      namedFiles: { value: () => Promise.reject(new Error('the disk')) },
    })
    const end = tendFiles({ ...services, log, records: { ...services.records, store: failing } }, TIMES)
    await expect.poll(() => told.map(([name]) => name)).toContain('files.not-collected')
    await end()
    expect(await contents()).toHaveLength(1)
  })

  it('ends at once while it reads all records', async () => {
    await services.records.files.take('u', 0, once('never named'))
    age((await services.records.files.keep('u')).sha256)
    let isAsked = false
    const slow = Object.create(services.records.store, {
      namedFiles: {
        value: (_: readonly string[], signal: AbortSignal) =>
          new Promise((_resolve, reject) => {
            isAsked = true
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      },
    })
    const end = tendFiles({ ...services, records: { ...services.records, store: slow } }, TIMES)
    await expect.poll(() => isAsked).toBe(true)
    await end()
    expect(await contents()).toHaveLength(1)
  })
})
