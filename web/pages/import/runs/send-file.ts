import { ask, Refusal } from '../../../api/client.ts'
import type { Sending } from './portions.ts'

/** What is sent in one request; a longer file comes in such parts. */
const PART_BYTES = 8 * 1024 * 1024
/** Attempts at one part, and seconds before the second of them; each further one waits twice as long. */
const ATTEMPTS = 5
const FIRST_WAIT_S = 1

/** Terms on which files are sent. */
export interface SendingTerms {
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  /** Bytes that have arrived since it was called last; fewer than none where they have to be sent once more. */
  readonly onSent: (bytes: number) => void
}

interface Ticket {
  readonly arrived?: number
  readonly ticket?: string
}

/** Sends a file and gives its ticket. What breaks off is gone on with where it stands, some times over. */
export async function sendFile({ name, content }: Sending, terms: SendingTerms): Promise<string> {
  const path = `/uploads/${encodeURIComponent(name)}`
  let at = 0
  for (let attempt = 1; ; attempt++) {
    try {
      const { ticket, arrived = 0 } = await sendPart(path, content, at, terms)
      if (ticket !== undefined) {
        terms.onSent(content.size - at)
        return ticket
      }
      terms.onSent(arrived - at)
      at = arrived
      attempt = 0
    } catch (error) {
      if (terms.signal.aborted || !isPassing(error) || attempt >= ATTEMPTS) {
        terms.onSent(-at)
        throw error
      }
      await assertReadable(content)
      await wait(FIRST_WAIT_S * 2 ** (attempt - 1), terms.signal)
      const there = content.size <= PART_BYTES ? 0 : await arrivedOf(path, terms).catch(() => at)
      // All bytes may be there without a ticket: the last of them brings it.
      const next = Math.max(0, Math.min(there, content.size - 1))
      terms.onSent(next - at)
      at = next
    }
  }
}

async function sendPart(path: string, content: Blob, from: number, { signal, headers }: SendingTerms): Promise<Ticket> {
  const { size } = content
  if (size <= PART_BYTES && from === 0) return (await ask<Ticket>('PUT', path, { body: content, headers, signal })).data
  const to = Math.min(size, from + PART_BYTES)
  const range = { 'content-range': `bytes ${from}-${to - 1}/${size}` }
  const body = content.slice(from, to)
  return (await ask<Ticket>('PUT', path, { body, headers: { ...headers, ...range }, signal })).data
}

async function arrivedOf(path: string, { signal, headers }: SendingTerms): Promise<number> {
  return (await ask<{ readonly arrived: number }>('GET', path, { signal, headers })).data.arrived
}

/** Whether it may be otherwise in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof Refusal && (error.status === 0 || [408, 429, 502, 503, 504].includes(error.status))
}

/** A file that can no longer be read. */
export class UnreadableFile extends Error {}

async function assertReadable(content: Blob): Promise<void> {
  try {
    await content.slice(0, 1).arrayBuffer()
  } catch {
    throw new UnreadableFile('The file has changed or is gone.')
  }
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}
