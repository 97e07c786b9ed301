import { connect, type Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** One answer as it came over the wire; null when the connection closed without one. */
export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** A connection that is kept for as long as the server keeps it. */
export class FuzzConnection {
  readonly #port: number
  #socket: Socket | null = null
  #received = Buffer.alloc(0)
  #wake: () => void = () => {}

  constructor(port: number) {
    this.#port = port
  }

  /** Sends bytes and waits for the answer; `last` says that nothing follows, so that the server does not wait for more. */
  async exchange(bytes: Buffer, method: string, last: boolean, timeoutMs: number): Promise<RawAnswer | null> {
    const socket = this.#open()
    if (last) socket.end(bytes)
    else socket.write(bytes)
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const answer = this.#takeAnswer(method)
      if (answer !== null) {
        if (last || /^connection: close/im.test(answer.head)) this.close()
        return answer
      }
      if (this.#socket === null) return null
      if (Date.now() > deadline) throw new Error('the server does not answer')
      await this.#change(200)
    }
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
    this.#received = Buffer.alloc(0)
  }

  #open(): Socket {
    if (this.#socket !== null) return this.#socket
    const socket = connect(this.#port, '127.0.0.1')
    this.#received = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      if (this.#socket !== socket) return
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null
      this.#wake()
    })
    this.#socket = socket
    return socket
  }

  #takeAnswer(method: string): RawAnswer | null {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return null
    const head = this.#received.subarray(0, end).toString('latin1')
    const status = Number(head.split(' ', 2)[1])
    if (status === 100) {
      this.#received = this.#received.subarray(end + 4)
      return this.#takeAnswer(method)
    }
    if (method !== 'HEAD' && /^transfer-encoding: *chunked/im.test(head))
      return this.#takeChunked(status, head, end + 4)
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
    const length = hasBody ? Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0) : 0
    if (this.#received.length < end + 4 + length) return null
    const body = textOf(head, this.#received.subarray(end + 4, end + 4 + length))
    this.#received = this.#received.subarray(end + 4 + length)
    return { status, head, body }
  }

  /** An answer whose length nobody knew when it began. */
  #takeChunked(status: number, head: string, start: number): RawAnswer | null {
    const parts: Buffer[] = []
    for (let at = start; ; ) {
      const line = this.#received.indexOf('\r\n', at)
      if (line === -1) return null
      const length = Number.parseInt(this.#received.toString('latin1', at, line), 16)
      const after = line + 2 + length + 2
      if (!(this.#received.length >= after)) return null
      parts.push(this.#received.subarray(line + 2, line + 2 + length))
      at = after
      if (length > 0) continue
      this.#received = this.#received.subarray(at)
      return { status, head, body: textOf(head, Buffer.concat(parts)) }
    }
  }

  #change(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** The text of a body, unpacked where it was packed on the way; throws where it is not what its head says. */
function textOf(head: string, body: Buffer): string {
  const isPacked = body.length > 0 && /^content-encoding: *gzip/im.test(head)
  return (isPacked ? gunzipSync(body) : body).toString('utf8')
}
