import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Bucket } from '../../src/store/files/bucket.ts'
import { BucketFiles } from '../../src/store/files/bucket-files.ts'
import { fileStoreContract, type OpenFiles } from '../contract/file-store.contract.ts'
import { S3_KEY, S3Server } from '../support/s3-server.ts'

type InBucket = OpenFiles & { readonly server: S3Server; readonly folder: string; readonly files: BucketFiles }

async function inBucket(key: Partial<typeof S3_KEY> | { secret: string } = {}): Promise<InBucket> {
  const server = new S3Server()
  await server.start()
  const folder = await mkdtemp(join(tmpdir(), 'quarry-bucket-'))
  const open = () => new BucketFiles(new Bucket({ url: server.url, ...S3_KEY, ...key }), folder)
  const files = open()
  return {
    server,
    folder,
    files,
    again: async () => open(),
    age: async (sha256, milliseconds) => server.age(sha256, milliseconds),
    async ageUpload(upload, milliseconds) {
      const then = new Date(Date.now() - milliseconds)
      await utimes(join(folder, 'incoming', `${upload}.part`), then, then)
    },
    async dispose() {
      await files.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

fileStoreContract('a bucket', () => inBucket())

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield Uint8Array.from(bytes)
}

describe('a bucket', () => {
  let opened: InBucket
  beforeEach(async () => {
    opened = await inBucket()
  })
  afterEach(() => opened.dispose())

  it('has a large content put in parts, and leaves nothing of it in the folder', async () => {
    const { files, server, folder } = opened
    const bytes = Buffer.alloc(40 * 2 ** 20, 'large content ')
    await files.take('u', 0, one(bytes))
    const { sha256 } = await files.keep('u')
    expect(server.requests.filter((request) => request.includes('partNumber'))).toHaveLength(3)
    expect(server.objects.get(`files/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`)?.bytes.equals(bytes)).toBe(
      true,
    )
    expect(
      (await readdir(folder, { recursive: true })).filter((path) => !['incoming', 'whole'].includes(path)),
    ).toEqual([])
  })

  it('is asked again where it fails, and what it did not take can be gone on with', async () => {
    const { files, server } = opened
    await files.take('u', 0, one(Buffer.from('content')))
    server.failures = 2
    const { sha256 } = await files.keep('u')
    expect(await files.find(sha256)).toBe(7)
    await files.take('v', 0, one(Buffer.from('other')))
    server.failures = 1000
    await expect(files.keep('v')).rejects.toMatchObject({ code: 50312, message: expect.stringContaining('503') })
    await expect(files.find(sha256)).rejects.toMatchObject({ code: 50306 })
    server.failures = 0
    expect(await files.arrived('v')).toBe(5)
    expect(await files.keep('v')).toMatchObject({ size: 5 })
  })

  it('is not believed where it has less of a content than it was given', async () => {
    const { files, server } = opened
    const set = server.objects.set.bind(server.objects)
    server.objects.set = (key, object) => set(key, { ...object, bytes: object.bytes.subarray(0, 3) })
    await files.take('u', 0, one(Buffer.from('content')))
    await expect(files.keep('u')).rejects.toMatchObject({
      code: 50312,
      message: expect.stringContaining('the bucket has not all of it'),
    })
    expect(await files.arrived('u')).toBe(7)
  })

  it('tells no key of its own when it refuses', async () => {
    const { files, dispose } = await inBucket({ secret: 'Zq-wrong-8843' })
    await files.take('u', 0, one(Buffer.from('content')))
    const error = await files.keep('u').catch((refusal: Error) => refusal)
    expect(error).toMatchObject({ code: 50312, message: expect.stringContaining('403 (SignatureDoesNotMatch)') })
    expect(JSON.stringify([error, String((error as Error).stack), (error as Error).cause])).not.toContain('Zq-')
    await dispose()
  })

  it('has contents as pages list them, with what was used of them', async () => {
    const { files, server } = opened
    for (let n = 0; n < 1200; n++) {
      const sha256 = n.toString(16).padStart(64, '0')
      for (const kind of ['files', 'used'])
        server.objects.set(`${kind}/00/00/${sha256}`, { bytes: Buffer.alloc(0), at: 0 })
    }
    server.age(`used/00/00/${'1'.padStart(64, '0')}`, 0)
    const found: string[] = []
    for await (const sha256 of files.unusedFor(1000)) found.push(sha256)
    expect([found.length, found.includes('1'.padStart(64, '0'))]).toEqual([1199, false])
  })

  it('has nothing left in the folder, a day later, of what a process was putting when it was killed', async () => {
    const { files, folder } = opened
    for (const [upload, seconds] of [
      ['old', 2],
      ['new', 0],
    ] as const) {
      await mkdir(join(folder, 'whole', upload, '00', '00'), { recursive: true })
      await writeFile(join(folder, 'whole', upload, '00', '00', 'content'), 'content')
      const then = Date.now() / 1000 - seconds
      await utimes(join(folder, 'whole', upload), then, then)
    }
    for await (const found of files.unusedFor(1000)) expect(found).toBe('none')
    expect(await readdir(join(folder, 'whole'))).toEqual(['new'])
  })

  it('is used again after a process that removed a content was killed', async () => {
    const { files, server } = opened
    await files.take('u', 0, one(Buffer.from('content')))
    const { sha256 } = await files.keep('u')
    const mark = `removing/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
    server.objects.set(mark, { bytes: Buffer.alloc(0), at: Date.now() - 600_000 })
    expect(await files.find(sha256)).toBe(7)
    expect(server.objects.has(mark)).toBe(false)
  })
})
