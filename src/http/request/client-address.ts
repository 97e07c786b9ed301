import type { IncomingMessage } from 'node:http'

/** The address that a request comes from; behind a proxy that is trusted, the one that the proxy saw. */
export function clientAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const seen = trustProxy ? headers['x-forwarded-for'] : undefined
  const last = typeof seen === 'string' ? (seen.split(',').at(-1)?.trim() ?? '') : ''
  // Empty once the connection has gone.
  return last === '' ? (socket.remoteAddress ?? '') : last
}
