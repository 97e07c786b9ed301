import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'

const WRITERS = 8
/** Of so many writes of a client one is a change, the others are new records. */
const CHANGES = 4
const PAUSE_MS = 20
/** A request that is not answered by then is sent again. */
const PATIENCE_MS = 15_000
const SILICON = {
  basis: { elements: [{ id: 0, value: 'Si' }], coordinates: [{ id: 0, value: [0, 0, 0] }], units: 'crystal' },
  lattice: { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60, type: 'FCC' },
}

/** What a client knows of a record of its own. */
interface Known {
  readonly writer: number
  /** Grows with each record of the writer. */
  readonly stamp: number
  changes: number
}

/** Clients of several servers over one store. What one of them sends is answered in the end, by whichever server. */
export class KeyedClients {
  readonly #urls: () => readonly string[]
  readonly headers: Record<string, string>
  readonly records = new Map<string, Known>()
  readonly #stamps = Array.from({ length: WRITERS }, () => 0)
  acknowledged = 0
  /** Requests, each time that one is sent. */
  sent = 0
  /** How many requests were sent more than once, and how many of those had been carried out when they were. */
  sentAgain = 0
  replayed = 0
  #isQuiet = false

  constructor(urls: () => readonly string[], headers: Record<string, string>) {
    this.#urls = urls
    this.headers = headers
  }

  /** All of them at once, until they are told to be quiet; ends when the last is answered. */
  async run(): Promise<void> {
    this.#isQuiet = false
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => this.#write(writer)))
  }

  beQuiet(): void {
    this.#isQuiet = true
  }

  async #write(writer: number): Promise<void> {
    const mine: string[] = []
    for (let step = 0; !this.#isQuiet; step++) {
      const id = mine[step % (mine.length + 1)]
      if (step % CHANGES === 0 && id !== undefined) await this.#change(writer, id)
      else mine.push(await this.#create(writer))
      this.acknowledged += 1
    }
  }

  async #create(writer: number): Promise<string> {
    const stamp = (this.#stamps[writer] ?? 0) + 1
    this.#stamps[writer] = stamp
    const { _id } = await this.#send(writer, 'POST', 'materials', { ...SILICON, writer, stamp, changed: 0 })
    this.records.set(_id, { writer, stamp, changes: 0 })
    return _id
  }

  async #change(writer: number, id: string): Promise<void> {
    const known = this.records.get(id) as Known
    await this.#send(writer, 'PATCH', `materials/${id}`, { changed: known.changes + 1 })
    known.changes += 1
  }

  async #send(writer: number, method: string, path: string, body: object): Promise<{ readonly _id: string }> {
    const headers = { ...this.headers, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
    for (let tries = 0; ; tries++) {
      const urls = this.#urls()
      const url = `${urls[(writer + tries) % urls.length]}/api/2018-10-01/${path}`
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const text = JSON.stringify(body)
      this.sent += 1
      const answer = await fetch(url, { method, headers, body: text, signal }).then(readAnswer, () => null)
      if (tries === 1) this.sentAgain += 1
      if (answer === null || answer.status >= 500) {
        await delay(PAUSE_MS)
        continue
      }
      if (answer.status >= 400) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
      if (tries > 0 && answer.isReplayed) this.replayed += 1
      return JSON.parse(answer.text).data
    }
  }
}

async function readAnswer(response: Response) {
  const isReplayed = response.headers.get('idempotent-replayed') !== null
  const text = await response.text().catch(() => null)
  return text === null ? null : { status: response.status, text, isReplayed }
}

interface Found {
  readonly _id: string
  readonly writer: number
  readonly stamp: number
  readonly changed: number
}

/** Where a store does not hold what clients were told, once and in their order. */
export async function problemsOf(url: string, { headers, records }: KeyedClients): Promise<string[]> {
  const problems: string[] = []
  const response = await fetch(`${url}/api/2018-10-01/materials/export`, { headers })
  if (!response.ok) return [`the export answered ${response.status}: ${await response.text()}`]
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  const found = lines.map((line) => JSON.parse(line) as Found)
  const last = new Map<number, number>()
  for (const { _id, writer, stamp, changed } of found) {
    const known = records.get(_id)
    const before = last.get(writer) ?? 0
    last.set(writer, stamp)
    if (known === undefined) problems.push(`${_id} (${writer}/${stamp}) was acknowledged to nobody`)
    else if (known.changes !== changed) problems.push(`${_id} was changed ${known.changes} times and has ${changed}`)
    if (stamp !== before + 1) problems.push(`${writer}/${stamp} comes after ${writer}/${before}`)
  }
  const ids = new Set(found.map(({ _id }) => _id))
  for (const [id, { writer, stamp }] of records) {
    if (!ids.has(id)) problems.push(`${id} (${writer}/${stamp}) was acknowledged and is not there`)
  }
  return [...problems, ...(await wrongVersions(url, headers, records))]
}

/** Of records that were changed, each change is one version. */
async function wrongVersions(url: string, headers: Record<string, string>, records: ReadonlyMap<string, Known>) {
  const problems: string[] = []
  for (const [id, { changes }] of records) {
    if (changes === 0) continue
    const response = await fetch(`${url}/api/2018-10-01/materials/${id}/history`, { headers })
    const { data } = (await response.json()) as { readonly data: { readonly version: number } }
    if (data.version !== changes + 1)
      problems.push(`${id} was changed ${changes} times and is at version ${data.version}`)
  }
  return problems
}
