import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is to be done when a connection ends, by connection: an answer that waits for others on it hears nothing of that. */
const endings = new WeakMap<Socket, Set<() => void>>()

/** Runs something once, as soon as an answer is out or its client has gone. */
export function afterAnswer(response: ServerResponse, socket: Socket, run: () => void): void {
  if (socket.destroyed) {
    run()
    return
  }
  const open = endings.get(socket) ?? watch(socket)
  const end = (): void => {
    if (open.delete(end)) run()
  }
  open.add(end)
  response.once('close', end)
}

function watch(socket: Socket): Set<() => void> {
  const open = new Set<() => void>()
  endings.set(socket, open)
  socket.once('close', () => {
    for (const end of [...open]) end()
  })
  return open
}
