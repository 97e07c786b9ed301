import type { AddressInfo } from 'node:net'
import type { Quarry } from '../app/compose.ts'
import type { Config } from '../app/settings.ts'
import { AppError } from '../kernel/errors.ts'
import { CLI_ERRORS } from './errors.ts'

/** Starts to listen; gives the address as a URL. */
export async function listen({ server }: Quarry, { host, port }: Config): Promise<string> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    throw new AppError(CLI_ERRORS.cannotListen, ...explain(error as NodeJS.ErrnoException, host, port))
  }
  return urlOf(host, (server.server.address() as AddressInfo).port)
}

/** Writes host and port as a URL; IPv6 addresses go in brackets. */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): [message: string, data: { hint: string }] {
  switch (error.code) {
    case 'EADDRINUSE':
      return [
        `Port ${port} of ${host} is in use, perhaps by another Quarry.`,
        { hint: `Stop the other program (lsof -i :${port} names it), or choose a port: --port 0 takes a free one.` },
      ]
    case 'EACCES':
      return [
        `Port ${port} is not open to this user.`,
        { hint: 'Choose a port from 1024 up, for instance --port 3000.' },
      ]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return [
        `This machine has no address ${host}.`,
        { hint: 'Use --host 127.0.0.1 for this machine alone, or --host 0.0.0.0 for all interfaces.' },
      ]
    default:
      return [`The server cannot listen on ${host}, port ${port}: ${error.message}`, { hint: 'Try --host and --port.' }]
  }
}
