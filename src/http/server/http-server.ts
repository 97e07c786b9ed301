import { type RequestListener, Server, type ServerOptions } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

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

export interface ServerHooks {
  /** Called when the server listens; gives what ends what was begun. */
  readonly onListen: () => () => void
  /** Called before the server stops listening. */
  readonly onClose: () => void
}

/** The server of a process, for rooms that start and stop it and know nothing of what it is made with. */
export class HttpServer {
  readonly server: DrainingServer
  readonly #hooks: ServerHooks
  #end = (): void => {}

  constructor(server: DrainingServer, hooks: ServerHooks) {
    this.server = server
    this.#hooks = hooks
  }

  /** Listens; gives where it is reached. */
  async listen(at: { readonly host: string; readonly port: number }): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject)
      this.server.listen(at, () => {
        this.server.off('error', reject)
        resolve()
      })
    })
    this.#end = this.#hooks.onListen()
    const { address, family, port } = this.server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  }

  /** Answers the requests under way, and those on open connections; resolves when all connections have ended. */
  async close(): Promise<void> {
    this.#hooks.onClose()
    if (this.server.listening) {
      const closed = new Promise<void>((resolve, reject) => {
        this.server.close((error) => (error === undefined ? resolve() : reject(error)))
      })
      this.server.closeIdleConnections()
      await closed
    }
    this.#end()
  }
}
