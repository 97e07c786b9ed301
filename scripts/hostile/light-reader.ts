import { Agent, request } from 'node:http'

/** How long requests took, in milliseconds. */
export interface Times {
  readonly reads: number
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Requests that were not answered with 200. */
  readonly failed: number
}

/** Between two requests. */
const PAUSE_MS = 3

/** Somebody who works: reads one record, then a short list, one after the other on one connection. */
export class LightReader {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #ids: readonly string[]
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #count = 0

  constructor(url: string, headers: Readonly<Record<string, string>>, ids: readonly string[]) {
    this.#url = url
    this.#headers = headers
    this.#ids = ids
  }

  async read(milliseconds: number): Promise<Times> {
    const end = performance.now() + milliseconds
    const times: number[] = []
    let failed = 0
    while (performance.now() < end) {
      const began = performance.now()
      const status = await this.#get(this.#nextPath()).catch(() => 0)
      times.push(performance.now() - began)
      if (status !== 200) failed += 1
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
    return { reads: times.length, p50: at(0.5), p99: at(0.99), max: at(1), failed }
  }

  close(): void {
    this.#agent.destroy()
  }

  /** Three of four lists have been asked before, as on a page that somebody goes back to. */
  #nextPath(): string {
    const n = this.#count++
    if (n % 2 === 0) return `/materials/${this.#ids[(n * 7919) % this.#ids.length]}`
    const skip = n % 8 === 1 ? n % 5000 : n % 16
    return `/materials?query=${encodeURIComponent('{"lattice.type":"FCC"}')}&limit=10&skip=${skip}`
  }

  #get(path: string): Promise<number> {
    const options = { headers: this.#headers, agent: this.#agent, timeout: 30_000 }
    return new Promise((resolve, reject) => {
      const sent = request(`${this.#url}/api/2018-10-01${path}`, options, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer')))
      sent.on('error', reject)
      sent.end()
    })
  }
}
