import { type RequestListener, Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'

/** Interval between looks for idle connections, in milliseconds. */
const LOOK_MS = 50
/** Looks for as long as a connection is let stand that has never said anything: browsers and clients open some to have them ready. */
const LOOKS_AT_SILENCE = 20

/** Node's server, but answers are read to their end when it closes: Node destroys connections whose answer was written but not yet sent. */
export class DrainingServer extends Server {
  readonly #connections = new Set<Socket>()

  constructor(options: ServerOptions, listener: RequestListener) {
    super(options, listener)
    this.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
  }

  override close(callback?: (error?: Error) => void): this {
    if (this.listening) {
      let looks = 0
      const timer = setInterval(() => {
        this.closeIdleConnections()
        looks += 1
        if (looks >= LOOKS_AT_SILENCE) this.#closeSilent()
      }, LOOK_MS)
      this.once('close', () => clearInterval(timer))
    }
    return super.close(callback)
  }

  /** Closes none while an answer is on its way: those that are idle then are asked again soon. */
  override closeIdleConnections(): void {
    for (const { writableLength } of this.#connections) if (writableLength > 0) return
    super.closeIdleConnections()
  }

  /** Node takes a connection for idle only when an answer has been written to it. */
  #closeSilent(): void {
    for (const connection of this.#connections) if (connection.bytesRead === 0) connection.destroy()
  }
}
