import { setTimeout as wait } from 'node:timers/promises'
import { S3mini } from 's3mini'

/** Where a bucket is, and who may use it. */
export interface BucketAddress {
  /** With the name of the bucket at its end: `https://s3.lab.example/quarry`. */
  readonly url: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

export interface BucketObject {
  readonly key: string
  readonly size: number
  /** When it was written, in milliseconds since 1970. */
  readonly at: number
}

/** Failure of a request to a bucket, in words that finish a sentence; it has nothing of what was sent. */
export class BucketFault extends Error {
  readonly status: number | null

  constructor(status: number | null, reason: string) {
    super(reason)
    this.status = status
  }
}

type StoredPart = Awaited<ReturnType<S3mini['uploadPart']>>
type ListedObject = NonNullable<Awaited<ReturnType<S3mini['listObjects']>>>[number]

const TRIES = 4
const FIRST_PAUSE_MS = 200
const NOT_FOUND = 404
/** Parts of an object that is put in parts; there are at most 10,000 of them, each but the last of 5 MiB or more (S3 user guide, multipart upload limits). */
export const PART_BYTES = 16 * 2 ** 20
const MOST_PARTS = 9000
const LISTED_TOGETHER = 1000

/** Objects of a bucket by their keys, over the protocol of S3. What fails of the line or of the server is tried again. */
export class Bucket {
  readonly #client: S3mini

  constructor({ url, region, keyId, secret }: BucketAddress) {
    this.#client = new S3mini({ accessKeyId: keyId, secretAccessKey: secret, endpoint: url, region })
  }

  /** Null where there is none. It is listed: an answer with its bytes alone would say when it was written. */
  async look(key: string): Promise<BucketObject | null> {
    const page = await this.#need(() => this.#client.listObjectsPaged('/', key, 1))
    const [found] = (page.objects ?? []).map(objectOf)
    return found?.key === key ? found : null
  }

  async put(key: string, bytes: Uint8Array, sha256: string | null = null): Promise<void> {
    const checked = sha256 === null ? {} : { 'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64') }
    await this.#try(() =>
      this.#client.putObject(key, bytes, 'application/octet-stream', undefined, checked, bytes.length),
    )
  }

  /** Puts an object of so many bytes, a part at a time; `read` gives the bytes from an offset on. */
  async putInParts(
    key: string,
    size: number,
    read: (from: number, bytes: number) => Promise<Uint8Array>,
  ): Promise<void> {
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS))
    const upload = await this.#need(() => this.#client.getMultipartUploadId(key))
    try {
      const parts: StoredPart[] = []
      for (let from = 0; from < size; from += partBytes) {
        const bytes = await read(from, Math.min(partBytes, size - from))
        parts.push(await this.#need(() => this.#client.uploadPart(key, upload, bytes, parts.length + 1)))
      }
      await this.#need(() => this.#client.completeMultipartUpload(key, upload, parts))
    } catch (error) {
      await this.#try(() => this.#client.abortMultipartUpload(key, upload)).catch(() => {})
      throw error
    }
  }

  /** Null where there is none. `to` null: up to the end. */
  async read(key: string, from: number, to: number | null): Promise<AsyncIterable<Uint8Array> | null> {
    const isWhole = from === 0 && to === null
    const answer = await this.#try(() => this.#client.getObjectRaw(key, isWhole, from, to ?? undefined), NOT_FOUND)
    return answer === null ? null : (answer.body ?? NO_BYTES)
  }

  async delete(key: string): Promise<void> {
    await this.#try(() => this.#client.deleteObject(key), NOT_FOUND)
  }

  /** Those whose keys begin so, in their order. */
  async *list(prefix: string): AsyncGenerator<BucketObject> {
    let token: string | undefined
    do {
      const page = await this.#need(() => this.#client.listObjectsPaged('/', prefix, LISTED_TOGETHER, token))
      yield* (page.objects ?? []).map(objectOf)
      token = page.nextContinuationToken
    } while (token !== undefined)
  }

  async #need<T>(ask: () => Promise<T>): Promise<NonNullable<T>> {
    const answer = await this.#try(ask)
    if (answer === null || answer === undefined) throw new BucketFault(NOT_FOUND, 'the bucket is not there')
    return answer
  }

  /** Asks until there is an answer; null for an answer with one of some statuses. */
  async #try<T>(ask: () => Promise<T>, ...none: readonly number[]): Promise<T | null> {
    for (let time = 1; ; time++) {
      try {
        return await ask()
      } catch (error) {
        const fault = faultOf(error)
        if (fault.status !== null && none.includes(fault.status)) return null
        if (time === TRIES || (fault.status !== null && fault.status < 500)) throw fault
        await wait(FIRST_PAUSE_MS * 2 ** (time - 1))
      }
    }
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
const NO_BYTES: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: noBytes }

function objectOf({ Key: key, Size: size, LastModified: at }: ListedObject): BucketObject {
  return { key, size, at: at.getTime() }
}

/** The body of an answer, which may show a key, is left out. */
function faultOf(error: unknown): BucketFault {
  if (error instanceof BucketFault) return error
  const { status, code, cause } = error as { status?: unknown; code?: unknown; cause?: { code?: unknown } }
  if (typeof status === 'number') return new BucketFault(status, `the bucket answered ${status} (${String(code)})`)
  return new BucketFault(null, `the bucket could not be reached (${String(code ?? cause?.code ?? 'no answer')})`)
}
