const METHODS = '/api/2018-10-01/methods'
/** How another server is asked for what was written. */
export const WAYS = ['record', 'list by id', 'list by value', 'count'] as const
type Way = (typeof WAYS)[number]

/** What lanes have asked together. */
export interface Asked {
  tries: number
  readonly most: number
  /** A line for each answer that was older than it should be. */
  readonly stale: string[]
  readonly ways: Map<Way, number>
  readonly noteTry: (done: number) => void
}

/** Changes of a record between its creation and its removal. */
const CHANGES = 8

/** One who writes a record at one server and looks for it at another, again and again. */
export class Lane {
  readonly #number: number
  readonly #urls: readonly string[]
  readonly #headers: Readonly<Record<string, string>>
  #step = 0

  constructor(number: number, urls: readonly string[], headers: Readonly<Record<string, string>>) {
    this.#number = number
    this.#urls = urls
    this.#headers = headers
  }

  async run(asked: Asked): Promise<void> {
    while (asked.tries < asked.most) {
      const body = { type: 'pseudopotential', subtype: 'us' }
      const name = this.#next()
      const created = await this.#send(this.#writer(), 'POST', '', { ...body, name })
      const { _id: id } = created as { _id: string }
      await this.#look(asked, id, name)
      for (let change = 0; change < CHANGES && asked.tries < asked.most; change += 1) {
        const changed = this.#next()
        await this.#send(this.#writer(), 'PATCH', `/${id}`, { name: changed })
        await this.#look(asked, id, changed)
      }
      await this.#send(this.#writer(), 'DELETE', `/${id}`)
      await this.#look(asked, id, null)
    }
  }

  /** Asks a server that has not written for a record that has a name now, or is gone. */
  async #look(asked: Asked, id: string, name: string | null): Promise<void> {
    const way = WAYS[this.#step % WAYS.length] as Way
    asked.tries += 1
    asked.noteTry(asked.tries)
    asked.ways.set(way, (asked.ways.get(way) ?? 0) + 1)
    const found = await this.#ask(way, id, name ?? this.#lastName())
    const expected = way === 'count' ? (name === null ? 0 : 1) : name
    if (found !== expected)
      asked.stale.push(`${way} of ${id}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`)
  }

  async #ask(way: Way, id: string, value: string): Promise<string | number | null> {
    const at = this.#reader()
    if (way === 'record') {
      const record = (await this.#send(at, 'GET', `/${id}`)) as { name: string } | null
      return record?.name ?? null
    }
    const query = encodeURIComponent(JSON.stringify(way === 'list by id' ? { _id: id } : { name: value }))
    if (way === 'count') {
      const { count } = (await this.#send(at, 'GET', `/count?query=${query}`)) as { count: number }
      return count
    }
    const [record] = (await this.#send(at, 'GET', `?query=${query}`)) as { name: string }[]
    return record?.name ?? null
  }

  #next(): string {
    this.#step += 1
    return this.#lastName()
  }

  #lastName(): string {
    return `lane ${this.#number}, ${this.#step}`
  }

  #writer(): string {
    return this.#urls[(this.#step + this.#number) % this.#urls.length] as string
  }

  /** Each of the others in turn. */
  #reader(): string {
    const others = this.#urls.length - 1
    const ahead = 1 + (Math.floor(this.#step / this.#urls.length) % others)
    return this.#urls[(this.#step + this.#number + ahead) % this.#urls.length] as string
  }

  /** The data of an answer; null where there is no such record. */
  async #send(origin: string, method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${origin}${METHODS}${path}`, {
      method,
      headers: { ...this.#headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status === 404) return null
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (JSON.parse(text) as { data: unknown }).data
  }
}
