import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Where a connection breaks: before the server hears of a commit, or when it has carried it out and says so; then, too, for all that come. */
export type Break = 'before' | 'after' | 'after, for good'

/** Stands between a store and its database, and breaks connections where it is told to. */
export interface PostgresProxy {
  readonly url: string
  /** How many commits were broken. */
  readonly broken: number
  /** Breaks the next commits so; connections that are open are ended first, since only a new one says its statements by their text. */
  breakCommits(...breaks: readonly Break[]): void
  /** Lets connections in again. */
  listen(): Promise<void>
  close(): Promise<void>
}

export async function startProxy(url: string): Promise<PostgresProxy> {
  const { hostname, port: asked } = new URL(url)
  const host = decodeURIComponent(hostname)
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.5432` } : { host, port: Number(asked || 5432) }
  const pairs = new Set<readonly [Socket, Socket]>()
  let next: Break[] = []
  let broken = 0

  const endAll = () => {
    for (const sockets of pairs) for (const socket of sockets) socket.destroy()
  }
  const end = async () => {
    server.close()
    endAll()
    await once(server, 'close')
  }
  const server = createServer((client) => {
    const database = connect(target)
    const pair = [client, database] as const
    pairs.add(pair)
    let isBreaking = false
    const endPair = () => {
      pairs.delete(pair)
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair) socket.on('error', endPair).on('close', endPair)
    client.on('data', (chunk) => {
      const how = chunk.includes('commit\0') ? next.shift() : undefined
      if (how !== undefined) broken += 1
      if (how === 'before') return endPair()
      isBreaking ||= how !== undefined
      if (how === 'after, for good') server.close()
      database.write(chunk)
    })
    database.on('data', (chunk) => {
      if (isBreaking && chunk.includes('COMMIT\0')) return endPair()
      if (!client.destroyed) client.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const through = new URL(url)
  const database = through.pathname
  return {
    url: `postgres://${through.username}@127.0.0.1:${port}${database}`,
    get broken() {
      return broken
    },
    breakCommits(...breaks) {
      next = [...breaks]
      endAll()
    },
    async listen() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    close: end,
  }
}
