import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Target {
  readonly path?: string | false
  readonly host: readonly string[]
  readonly port: readonly number[]
}

/** Time that a connection is listened to before it is taken for dead, in milliseconds. */
const LISTENED_MS = 500

/** The sockets of some connections, which can be cut where nothing comes from the other end. */
export class Sockets {
  readonly #open = new Set<Socket>()
  /** Bytes received on connections that are gone. */
  #heardBefore = 0
  #next = 0

  get heard(): number {
    let bytes = this.#heardBefore
    for (const socket of this.#open) bytes += socket.bytesRead
    return bytes
  }

  /** Begins to connect, to one server after the other where several are named. */
  connect({ path, host, port }: Target): Socket {
    const at = this.#next++ % port.length
    const name = host[at] ?? 'localhost'
    const socket = typeof path === 'string' ? connect(path) : connect(port[at] ?? 5432, name)
    for (const former of this.#open) {
      if (!former.destroyed) continue
      this.#open.delete(former)
      this.#heardBefore += former.bytesRead
    }
    this.#open.add(socket)
    // Verification of the server needs its name.
    return Object.assign(socket, { host: name })
  }

  /** Waits for work, and cuts connections that are silent for as long as one statement may take: a server ends by itself what takes longer. */
  async patiently<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
    let heard = this.#heardOfEach()
    const timer = setInterval(() => {
      void this.#cutSilent(work, heard)
      heard = this.#heardOfEach()
    }, milliseconds)
    try {
      return await work
    } finally {
      clearInterval(timer)
    }
  }

  #heardOfEach(): ReadonlyMap<Socket, number> {
    return new Map(Array.from(this.#open, (socket) => [socket, socket.bytesRead]))
  }

  /** Listens once more: this thread may have been too busy to. A connection still being made is left to the driver, which would begin anew. */
  async #cutSilent(work: Promise<unknown>, heard: ReadonlyMap<Socket, number>): Promise<void> {
    const isOver = work.then(
      () => true,
      () => true,
    )
    if (await Promise.race([isOver, delay(LISTENED_MS, false)])) return
    for (const [socket, bytes] of heard) if (bytes > 0 && socket.bytesRead === bytes) socket.destroy()
  }
}
