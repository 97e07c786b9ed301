import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Ends connections on which nothing moves, as far as it is the client that does not move: one that takes nothing of what it asked for, or
 * that is kept for another request. Where the server itself takes its time, the client is given more. Timers run for idle connections, and
 * for those that hold something; Node sees to it that every byte in or out winds them up again.
 */
export function endStalled(server: Server, stallMs: number): void {
  server.on('timeout', (socket: Socket) => {
    if (isUnderWay(socket) && socket.writableLength === 0) socket.setTimeout(stallMs)
    else socket.destroy()
  })
}

function isUnderWay(socket: Socket): boolean {
  return ((socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null) !== null
}
