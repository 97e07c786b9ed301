/** Sends bodies as it is told, one after the other; started by `long-bodies.ts`. */
import { request } from 'node:http'
import { setPriority } from 'node:os'
import type { Credentials } from '../hostile/users.ts'
import { type Sending, sendingsOf } from './bodies.ts'

/** What the process is told to send, and how much it is. */
export interface Order {
  readonly url: string
  readonly bytes: number
  readonly name: string
  readonly key: boolean
  readonly as: Credentials
}

const LOWEST_PRIORITY = 19

setPriority(LOWEST_PRIORITY)

process.on('message', async ({ url, bytes, name, key, as }: Order) => {
  const sending = sendingsOf(bytes).find((one) => one.name === name && one.key === key)
  if (sending === undefined) throw new Error(`no body is called ${name}`)
  process.send?.(await send(url, sending, sending.body(), as))
})

function send(url: string, { path, type, key, chunk }: Sending, body: Buffer, as: Credentials): Promise<number> {
  const framing = chunk === undefined ? { 'content-length': body.length } : { 'transfer-encoding': 'chunked' }
  const headers = { ...as, 'content-type': type, ...framing, ...(key ? { 'idempotency-key': `${Math.random()}` } : {}) }
  return new Promise((resolve) => {
    const sent = request(`${url}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    // A refusal may come, and the connection end, before all has been sent.
    sent.on('error', () => resolve(0))
    void write(sent, body, chunk ?? 65_536)
  })
}

async function write(sent: ReturnType<typeof request>, body: Buffer, length: number): Promise<void> {
  for (let from = 0; from < body.length && !sent.destroyed; from += length) {
    if (sent.write(body.subarray(from, from + length))) continue
    await untilTaken(sent)
  }
  sent.end()
}

/** Waits until more is taken, or nothing more ever will be. */
function untilTaken(sent: ReturnType<typeof request>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sent.off('drain', done).off('close', done)
      resolve()
    }
    sent.on('drain', done).on('close', done)
  })
}
