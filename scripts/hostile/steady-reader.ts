import { Agent, request } from 'node:http'
import type { Credentials } from './users.ts'

/** Reads one record over and over on one connection until it is told to end. */
export class SteadyReader {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #times: number[] = []
  readonly #done: Promise<void>
  #isOver = false

  constructor(url: string, headers: Credentials) {
    this.#done = this.#read(url, headers)
  }

  async end(): Promise<{ readonly slowest: number; readonly slow: number; readonly count: number }> {
    this.#isOver = true
    await this.#done
    this.#agent.destroy()
    const slow = this.#times.filter((time) => time > 10).length
    return { slowest: Math.max(...this.#times), slow, count: this.#times.length }
  }

  async #read(url: string, headers: Credentials): Promise<void> {
    while (!this.#isOver) {
      const began = performance.now()
      await new Promise<void>((resolve, reject) => {
        request(url, { headers, agent: this.#agent }, (response) => response.resume().on('end', resolve))
          .on('error', reject)
          .end()
      })
      this.#times.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
}
