import { signal } from '@preact/signals'
import { fetchPlain } from '../api/client.ts'

/** How often something has changed in a collection, by whomever, since somebody has listened. */
export const changes = signal<Readonly<Record<string, number>>>({})

/** Milliseconds within which the stream tells of what was done here. */
export const HEARD_MS = 2000

const AGAIN_MS = 3000

let listeners = 0
let listening: AbortController | null = null

/** Listens to the server for as long as anybody wants to know; gives what ends it. */
export function listenForChanges(): () => void {
  listeners += 1
  if (listening === null) {
    listening = new AbortController()
    void listen(listening.signal)
  }
  return () => {
    listeners -= 1
    if (listeners > 0) return
    listening?.abort()
    listening = null
  }
}

/** A stream that ends is begun anew after a while: the server may have been started anew. */
async function listen(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const goesOn = await readStream(signal).catch(() => document.visibilityState !== undefined)
    if (!goesOn || signal.aborted) return
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

/** Tells whether it is worth beginning anew. */
async function readStream(signal: AbortSignal): Promise<boolean> {
  const answer = await fetchPlain('GET', '/events', { signal }).catch((error: { status?: number }) => error.status ?? 0)
  // Too many tabs, or no session any more: others tell of it.
  if (typeof answer === 'number') return answer === 0 || answer >= 500
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done = true, value = '' } = (await reader?.read()) ?? {}
    if (done) return true
    text += value
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) hear(event)
  }
}

function hear(event: string): void {
  const data = /^event: changed\ndata: (.*)$/m.exec(event)?.[1]
  if (data === undefined) return
  const { collections } = JSON.parse(data) as { collections: readonly string[] }
  const next = { ...changes.value }
  for (const name of collections) next[name] = (next[name] ?? 0) + 1
  changes.value = next
}
