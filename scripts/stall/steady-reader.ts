import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Filled } from './fill-accounts.ts'

/** An answer: when it was asked for, in milliseconds since the first one, and how long it took. */
export interface TimedRead {
  readonly at: number
  readonly took: number
  readonly what: string
}

/** Between two writes. */
const WRITE_EVERY = 100

/** Reads one record after the other at a steady pace, and writes one now and then. */
export class SteadyReader {
  readonly #url: string
  readonly #filled: Filled
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })

  constructor(url: string, filled: Filled) {
    this.#url = `${url}/api/2018-10-01`
    this.#filled = filled
  }

  /** How long the first list takes, and the first question about a field. */
  async firstUse(): Promise<{ readonly list: number; readonly field: number }> {
    const list = await this.#time('GET', '/materials?limit=20')
    const field = await this.#time('GET', `/materials?query=${encodeURIComponent('{"formula":"SiO2"}')}`)
    return { list, field }
  }

  /** Reads for so long. */
  async read(milliseconds: number, everyMs: number): Promise<readonly TimedRead[]> {
    const { ids } = this.#filled
    const times: TimedRead[] = []
    const writes: Promise<number>[] = []
    const began = performance.now()
    for (let n = 0; performance.now() - began < milliseconds; n += 1) {
      const due = began + n * everyMs
      await wait(Math.max(0, due - performance.now()))
      if (n % WRITE_EVERY === WRITE_EVERY - 1) writes.push(this.#time('POST', '/materials', materialOf(n)))
      const at = performance.now() - began
      const path = `/materials/${ids[n % ids.length]}`
      times.push({ at, took: await this.#time('GET', path), what: `GET ${path}` })
    }
    await Promise.all(writes)
    this.#agent.destroy()
    return times
  }

  #time(method: string, path: string, body?: object): Promise<number> {
    const began = performance.now()
    const headers = { ...this.#filled.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        response.resume()
        response.on('end', () => {
          const isFine = (response.statusCode ?? 500) < 300
          if (isFine) resolve(performance.now() - began)
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}`))
        })
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
}

/** Silicon of a size of its own. */
function materialOf(n: number): object {
  const a = 3.8 + n * 1e-5
  return {
    name: `written ${n}`,
    basis: {
      elements: [
        { id: 0, value: 'Si' },
        { id: 1, value: 'Si' },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [0.25, 0.25, 0.25] },
      ],
      units: 'crystal',
    },
    lattice: { a, b: a, c: a, alpha: 60, beta: 60, gamma: 60, type: 'FCC' },
  }
}
