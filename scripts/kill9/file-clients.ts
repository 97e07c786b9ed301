import { createHash } from 'node:crypto'
import type { Random } from '../fuzz/random.ts'

const RECORDS = 4
const NAMES = ['OUTCAR', 'run/vasprun.xml', 'a', 'b c.bin']
/** Bytes of a file: mostly within one piece that arrives, sometimes of many. */
const SIZES = [0, 1, 3_000, 70_000, 400_000, 2_000_000]

/** What a file is to be, or may be: its bytes follow from its seed. */
export interface ToldFile {
  readonly seed: string
  readonly size: number
}

/** Where a file is, `methods/ID/files/NAME`, and the change of it that was not answered. */
interface PendingFile {
  /** Null for one that was to be taken away. */
  readonly file: ToldFile | null
  /** Bytes that the server said had arrived. */
  readonly arrived: number
  /** Whether the last of its bytes were on their way: all of it may have become a content, which no record names yet. */
  readonly isEnding: boolean
}

/** What clients were told of files by a server over one store. */
export interface ToldFiles {
  readonly headers: Record<string, string>
  readonly records: string[]
  readonly files: Map<string, ToldFile>
  readonly pending: Map<string, PendingFile>
  /** Files that were stored, parts that were, and uploads that were gone on with after a server had died. */
  readonly counts: { stored: number; parts: number; resumed: number }
}

export function toldOfFiles(headers: Record<string, string>): ToldFiles {
  const counts = { stored: 0, parts: 0, resumed: 0 }
  return { headers, records: [], files: new Map(), pending: new Map(), counts }
}

export function bytesOf({ seed, size }: ToldFile): Buffer {
  return size === 0 ? Buffer.alloc(0) : createHash('shake256', { outputLength: size }).update(seed).digest()
}

/** Clients that put files to records, in one piece and in parts, in the place of others too, and take them away, until the server is dead. */
export class FileClients {
  readonly #url: string
  readonly #told: ToldFiles
  readonly #random: Random

  constructor(url: string, told: ToldFiles, random: Random) {
    this.#url = url
    this.#told = told
    this.#random = random
  }

  /** Each client has records of its own; ends when none is answered any more. What the server before has left is gone on with first. */
  async run(clients = 3): Promise<void> {
    await Promise.all(Array.from({ length: clients }, (_, at) => untilDead(() => this.#serve(at, clients))))
  }

  async #serve(client: number, clients: number): Promise<void> {
    const { records, pending } = this.#told
    const isOwn = (record: string) => records.indexOf(record) % clients === client
    while (records.length < RECORDS * clients) await this.#createRecord()
    for (const [place, { file }] of [...pending]) {
      if (file !== null && isOwn(place.split('/')[1] ?? '')) await this.#goOn(place, file)
    }
    const own = records.filter(isOwn)
    for (let step = 0; ; step++) {
      const place = `methods/${this.#random.pick(own)}/files/${encodeURIComponent(this.#random.pick(NAMES))}`
      const isThere = this.#told.files.has(place)
      if (isThere && this.#random.chance(0.2)) await this.#remove(place)
      else await this.#put(place, step)
    }
  }

  async #createRecord(): Promise<void> {
    const body = JSON.stringify({ type: 'a', subtype: 'b', name: 'with files' })
    const { _id } = (await this.#ask('PUT', 'methods/create', body, { 'Content-Type': 'application/json' })).data
    this.#told.records.push(String(_id))
  }

  async #put(place: string, step: number): Promise<void> {
    const size = this.#random.pick(SIZES) + (step % 7)
    const file = { seed: `${place} ${this.#random.integer(2 ** 31)}`, size }
    this.#told.pending.set(place, { file, arrived: 0, isEnding: true })
    if (this.#random.chance(0.5) || size < 2) await this.#putWhole(place, file)
    else await this.#putParts(place, file, 0)
  }

  async #putWhole(place: string, file: ToldFile): Promise<void> {
    await this.#ask('PUT', place, bytesOf(file))
    this.#stored(place, file)
  }

  /** Sends what has not arrived in up to four parts. */
  async #putParts(place: string, file: ToldFile, from: number): Promise<void> {
    const bytes = bytesOf(file)
    for (let at = from; ; ) {
      const to = Math.min(file.size, at + 1 + this.#random.integer(Math.ceil(file.size / 2)))
      this.#told.pending.set(place, { file, arrived: at, isEnding: to === file.size })
      const range = at === file.size ? `*/${file.size}` : `${at}-${to - 1}/${file.size}`
      const { data, status } = await this.#ask('PUT', place, bytes.subarray(at, to), {
        'Content-Range': `bytes ${range}`,
      })
      if (status !== 202) break
      if (data.arrived !== to) throw new Error(`${place}: ${to} bytes were sent, and ${data.arrived} have arrived`)
      this.#told.counts.parts += 1
      at = to
    }
    this.#stored(place, file)
  }

  /** Goes on where the server says that the upload was, which is not before what it has said. */
  async #goOn(place: string, file: ToldFile): Promise<void> {
    const { data } = await this.#ask('GET', `${place}/upload`)
    const arrived = Number(data.arrived)
    const { arrived: told = 0, isEnding = true } = this.#told.pending.get(place) ?? {}
    const least = isEnding && arrived === 0 ? 0 : told
    if (arrived < least || arrived > file.size)
      throw new Error(`${place}: ${arrived} of ${file.size} bytes have arrived, and ${told} were said to have`)
    if (arrived > 0) this.#told.counts.resumed += 1
    await this.#putParts(place, file, arrived)
  }

  #stored(place: string, file: ToldFile): void {
    this.#told.files.set(place, file)
    this.#told.pending.delete(place)
    this.#told.counts.stored += 1
  }

  async #remove(place: string): Promise<void> {
    this.#told.pending.set(place, { file: null, arrived: 0, isEnding: true })
    await this.#ask('DELETE', place)
    this.#told.files.delete(place)
    this.#told.pending.delete(place)
  }

  async #ask(method: string, path: string, body: string | Buffer | null = null, headers: Record<string, string> = {}) {
    const sent = {
      method,
      headers: { ...this.#told.headers, ...headers },
      body: typeof body === 'string' ? body : body && new Uint8Array(body),
    }
    const response = await fetch(`${this.#url}/api/2018-10-01/${path}`, sent)
    const { status } = response
    const answer = (await response.json()) as { readonly data: Record<string, unknown> }
    if (!response.ok) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`)
    return { status, data: answer.data }
  }
}

/** A request that nobody answers is no fault: the server is dead. */
async function untilDead(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof TypeError) && (error as NodeJS.ErrnoException).name !== 'SocketError') throw error
  }
}

/** Where a server over the same store does not have the files that clients were told of, whole; what was pending and was done is known from then on. */
export async function fileDifferences(url: string, told: ToldFiles): Promise<readonly string[]> {
  const problems: string[] = []
  const { headers, files, pending } = told
  const places = new Set([...files.keys(), ...pending.keys()])
  for (const record of told.records) {
    const listed = await fetch(`${url}/api/2018-10-01/methods/${record}/files`, { headers })
    const { data } = (await listed.json()) as { readonly data: readonly { readonly name: string }[] }
    for (const { name } of data) places.add(`methods/${record}/files/${encodeURIComponent(name)}`)
  }
  for (const place of places) {
    const answer = await fetch(`${url}/api/2018-10-01/${place}`, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const known = files.get(place) ?? null
    const waiting = pending.get(place)
    const allowed = waiting === undefined ? [known] : [known, waiting.file]
    const found = allowed.find((file) =>
      file === null ? answer.status === 404 : answer.ok && bytes.equals(bytesOf(file)),
    )
    if (found === undefined) {
      const wanted = allowed.map((file) => (file === null ? 'nothing' : `${file.size} bytes`)).join(' or ')
      problems.push(`${place} answers ${answer.status} with ${bytes.length} bytes and should have ${wanted}`)
    } else if (waiting !== undefined && found === waiting.file && found !== known) {
      if (found === null) files.delete(place)
      else files.set(place, found)
      pending.delete(place)
    } else if (waiting?.file === null) pending.delete(place)
  }
  return problems
}
