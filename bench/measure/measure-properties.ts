import type { DataSet } from '../corpus/data-set.ts'
import { documentMaker, type Recipe } from '../corpus/documents.ts'
import { encodeRequest, runLoad, type WireRequest } from '../load/loader.ts'
import { startCpuClock } from '../load/process-figures.ts'
import { type RunningServer, startServer } from '../load/server-process.ts'
import { settle } from '../load/settle.ts'
import { median } from '../load/statistics.ts'
import { API, quarryOver } from '../servers/quarry.ts'
import { fetchData } from './check-answers.ts'
import { onACopy } from './on-a-copy.ts'

/** Materials that have a property and a field of the same value; the first of them have more properties. */
const MATERIALS = 500
const WITH_MANY = 30
const MANY = 10
/** Before what is timed, the functions that it runs are not compiled yet; how long that lasts is in the first ones. */
const CREATES = { first: 150, between: 1500, timed: 300 }
const LISTS = { first: 100, between: 100, timed: 300 }

/** What one request costs, of one after the other: when a server has had none such, and later. */
export interface RequestCost {
  readonly what: string
  readonly firstCpuMs: number
  readonly cpuMs: number
  readonly medianMs: number
}

/** What properties cost: to be created beside a method, to be asked by beside a field of the record. */
export interface PropertyFigures {
  readonly creates: readonly RequestCost[]
  readonly lists: readonly RequestCost[]
}

/** Measures on a copy, without symmetry. A property is one more read and one more write of its material. */
export function measureProperties(
  { documents, credentials, dataDirectory: filled }: DataSet,
  recipe: Recipe,
  serveArguments: readonly string[],
): Promise<PropertyFigures> {
  return onACopy(filled, async ({ dataDirectory }) => {
    const quarry = quarryOver({ dataDirectory, credentials, caches: false, symmetry: false, serveArguments })
    const server = await startServer(quarry.command)
    const place = new Place(server, { ...credentials })
    const { body } = documentMaker(recipe)
    try {
      const materials = Array.from({ length: MATERIALS }, (_, at) => ({ ...body(documents + at), mark: at }))
      const ids = await place.bulk('materials', materials)
      const few = ids.slice(WITH_MANY)
      const many = ids.slice(0, WITH_MANY)
      await place.bulk(
        'properties',
        ids.map((id, at) => property(id, at)),
      )
      await place.bulk(
        'properties',
        many.flatMap((id) => Array.from({ length: MANY - 1 }, (_, at) => figure(id, at))),
      )
      await settle(server.pids)
      const creates = [
        await place.creates('a method', 'methods', (at) => ({ name: `m${at}`, type: 'a', subtype: 'b' })),
        await place.creates('a property of a material with one', 'properties', (at) =>
          figure(few[at % few.length], at),
        ),
        await place.creates(`a property of a material with ${MANY}`, 'properties', (at) =>
          figure(many[at % many.length], at),
        ),
      ]
      await settle(server.pids)
      const [own, shown] = [{ path: 'mark' }, { path: 'properties.own_mark.value' }]
      await place.assertSame(own.path, shown.path)
      const lists = [await place.lists('by a field', own.path), await place.lists('by a property', shown.path)]
      return { creates, lists }
    } finally {
      await server.stop()
    }
  })
}

/** A property that is the only one of its name. */
function property(exabyteId: string, value: number): object {
  return { data: { name: 'own_mark', value }, exabyteId }
}

/** One of those that are compared with each other. */
function figure(exabyteId: string | undefined, at: number): object {
  return {
    data: { name: 'fermi_energy', value: at, units: 'eV' },
    exabyteId,
    group: `vasp:dft:gga:${at % MANY}`,
    precision: { kppra: at },
  }
}

class Place {
  readonly #server: RunningServer
  readonly #headers: Record<string, string>

  constructor(server: RunningServer, headers: Record<string, string>) {
    this.#server = server
    this.#headers = headers
  }

  /** Gives the ids of the records. */
  async bulk(collection: string, records: readonly object[]): Promise<readonly string[]> {
    const answer = await fetch(`http://127.0.0.1:${this.#server.port}${API}/${collection}/bulk`, {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/x-ndjson' },
      body: records.map((record) => JSON.stringify(record)).join('\n'),
    })
    const lines = (await answer.text())
      .split('\n')
      .filter((line) => line.includes('"stored"') && line.includes('"_id"'))
    if (lines.length !== records.length)
      throw new Error(`${lines.length} of ${records.length} ${collection} were stored`)
    return lines.map((line) => (JSON.parse(line) as { _id: string })._id)
  }

  creates(what: string, collection: string, record: (at: number) => object): Promise<RequestCost> {
    const target = `${API}/${collection}`
    const requests = Array.from({ length: lengthOf(CREATES) }, (_, at) =>
      this.#request({ method: 'POST', target, body: JSON.stringify(record(at)) }),
    )
    return this.#measure(what, requests, CREATES)
  }

  lists(what: string, path: string): Promise<RequestCost> {
    const requests = Array.from({ length: lengthOf(LISTS) }, (_, at) => this.#list(path, at))
    return this.#measure(what, requests, LISTS)
  }

  async assertSame(one: string, other: string): Promise<void> {
    for (const at of [0, 7, MATERIALS - 20]) {
      const [a, b] = await Promise.all([one, other].map((path) => fetchData(this.#server.port, this.#list(path, at))))
      if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(`lists by ${one} and by ${other} differ`)
    }
  }

  #list(path: string, at: number): WireRequest {
    const query = JSON.stringify({ [path]: { $gte: at % MATERIALS } })
    const projection = JSON.stringify({ sort: { [path]: 1 }, fields: { name: 1 }, limit: 50 })
    return this.#request({ method: 'GET', target: `${API}/materials?${new URLSearchParams({ query, projection })}` })
  }

  #request(about: Omit<WireRequest, 'headers'>): WireRequest {
    return { ...about, headers: this.#headers }
  }

  async #measure(
    what: string,
    requests: readonly WireRequest[],
    { first, between }: typeof CREATES,
  ): Promise<RequestCost> {
    const { cpuMs: firstCpuMs } = await this.#load(requests.slice(0, first))
    await this.#load(requests.slice(first, first + between))
    return { what, firstCpuMs, ...(await this.#load(requests.slice(first + between))) }
  }

  async #load(requests: readonly WireRequest[]): Promise<{ readonly cpuMs: number; readonly medianMs: number }> {
    const { port, pids } = this.#server
    const cpu = startCpuClock(pids)
    const count = requests.length
    const { latenciesMs } = await runLoad({ port, requests: requests.map(encodeRequest), connections: 1, count })
    return { cpuMs: cpu() / 1000 / count, medianMs: median(latenciesMs) }
  }
}

function lengthOf({ first, between, timed }: typeof CREATES): number {
  return first + between + timed
}
