import type { AddressInfo } from 'node:net'
import type { DrainingServer } from './draining-server.ts'

/** Hooks at the beginning and at the end of listening. */
export interface ServerHooks {
  /** Called when the server listens; gives what ends what was begun. */
  readonly onListen: () => () => void
  /** Called before the server stops listening. */
  readonly onClose: () => void
}

/** The server of a process, for rooms that start and stop it and know nothing of what it is made with. */
export class HttpServer {
  /** Node's server. */
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
