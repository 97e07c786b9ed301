import { loadInBulk } from './bulk-load.ts'

const WRITERS = 8
const BULK_LOADS = 2
const LINES = 300
const SILICON = {
  basis: {
    elements: [{ id: 0, value: 'Si' }],
    coordinates: [{ id: 0, value: [0, 0, 0] }],
    units: 'crystal',
  },
  lattice: { a: 3.867, b: 3.867, c: 3.867, alpha: 60, beta: 60, gamma: 60, type: 'FCC' },
}

/** What the server acknowledged of one record; null for one that it said it deleted. */
type Acknowledged = Map<string, number | null>

/** What was asked and not answered when the server died: either outcome is right. */
type Pending = Map<string, number | null>

/** What clients were told by a server over one store. */
export interface Told {
  readonly headers: Record<string, string>
  readonly acknowledged: Acknowledged
  readonly pending: Pending
  /** Stamps of records that are loaded in bulk: no two are alike. */
  loaded: number
}

/** Clients of one server, until it is dead or they are told to be quiet. */
export class Clients {
  readonly #url: string
  readonly #told: Told
  #isQuiet = false

  constructor(url: string, told: Told) {
    this.#url = url
    this.#told = told
  }

  /** All of them at once; ends when the last has. */
  async run(): Promise<void> {
    await Promise.all([
      ...Array.from({ length: WRITERS }, (_, writer) => this.#write(writer)),
      ...Array.from({ length: BULK_LOADS }, () => this.#load()),
    ])
  }

  /** No more is begun. */
  beQuiet(): void {
    this.#isQuiet = true
  }

  async #load(): Promise<void> {
    const { headers, acknowledged } = this.#told
    for (let isAlive = true; isAlive && !this.#isQuiet; ) {
      const first = this.#told.loaded
      this.#told.loaded += LINES
      const lines = Array.from({ length: LINES }, (_, i) => JSON.stringify({ ...SILICON, stamp: first + i }))
      let stored = 0
      await loadInBulk({
        url: this.#url,
        headers,
        lines,
        stored: (line, id) => {
          stored += 1
          acknowledged.set(id, first + line - 1)
        },
      })
      isAlive = stored === LINES
    }
  }

  /** Creates, changes and deletes until a request fails, which means that the server is dead. */
  async #write(writer: number): Promise<void> {
    const mine: string[] = []
    for (let step = 0; !this.#isQuiet; step++) {
      const id = mine[step % 7]
      try {
        if (step % 5 === 3 && id !== undefined) await this.#change(id, step)
        else if (step % 11 === 10 && id !== undefined) await this.#remove(id, mine)
        else mine.push(await this.#create(writer * 1e6 + step))
      } catch (error) {
        if (error instanceof TypeError) return
        throw error
      }
    }
  }

  async #create(stamp: number): Promise<string> {
    const record = (await this.#ask('PUT', 'materials/create', { ...SILICON, stamp })) as { _id: string }
    this.#told.acknowledged.set(record._id, stamp)
    return record._id
  }

  async #change(id: string, stamp: number): Promise<void> {
    const { acknowledged, pending } = this.#told
    pending.set(id, stamp)
    await this.#ask('PATCH', `materials/${id}`, { stamp })
    acknowledged.set(id, stamp)
    pending.delete(id)
  }

  async #remove(id: string, mine: string[]): Promise<void> {
    const { acknowledged, pending } = this.#told
    pending.set(id, null)
    await this.#ask('DELETE', `materials/${id}`)
    acknowledged.set(id, null)
    pending.delete(id)
    mine.splice(mine.indexOf(id), 1)
  }

  async #ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = { ...this.#told.headers, 'Content-Type': 'application/json' }
    const text = body === undefined ? null : JSON.stringify(body)
    const response = await fetch(`${this.#url}/api/2018-10-01/${path}`, { method, headers, body: text })
    const answer = (await response.json()) as { data: unknown }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer.data
  }
}

/** Where a server over the same store does not say what clients were told; what was pending is known from then on. */
export async function differences(url: string, { headers, acknowledged, pending }: Told): Promise<string[]> {
  const problems: string[] = []
  const stamps = await allStamps(url, headers)
  for (const [id, stamp] of acknowledged) {
    const found = stamps.get(id) ?? null
    const allowed = pending.has(id) ? [stamp, pending.get(id)] : [stamp]
    if (!allowed.includes(found)) problems.push(`${id} should have stamp ${allowed.join(' or ')} and has ${found}`)
    else acknowledged.set(id, found)
  }
  pending.clear()
  // So that the last round is no slower than the first.
  for (const [id, stamp] of acknowledged) if (stamp === null) acknowledged.delete(id)
  return problems
}

/** The stamps of all records that are there; 0 for one without. */
async function allStamps(url: string, headers: Record<string, string>): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/api/2018-10-01/materials/export`, { headers })
  if (!response.ok) throw new Error(`the export answered ${response.status}: ${await response.text()}`)
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => JSON.parse(line) as { _id: string; stamp?: number }).map(({ _id, stamp }) => [_id, stamp ?? 0]),
  )
}
