import cluster, { type Worker } from 'node:cluster'
import type { Peers } from '../../kernel/metrics.ts'
import { tell } from '../console/output.ts'

/** Answer of one other worker to the one that asks, which `requester` is the id of. */
interface PeerAnswer {
  readonly kind: 'answer'
  readonly number: number
  readonly requester: number
  readonly answer: unknown
}

/** A worker's question, the same handed on to each other worker, an answer of one, and all answers that came in time. */
type PeerMessage =
  | { readonly kind: 'question'; readonly number: number }
  | { readonly kind: 'handed-on'; readonly number: number; readonly requester: number }
  | PeerAnswer
  | { readonly kind: 'answers'; readonly number: number; readonly answers: readonly unknown[] }

/** Tells messages of this kind from the others that go between the processes. */
function isPeerMessage(message: unknown): message is PeerMessage {
  return typeof message === 'object' && message !== null && 'kind' in message && 'number' in message
}

/** Time limit of answers, in milliseconds; later ones are useless. */
const PATIENCE_MS = 1000

interface Round {
  readonly requester: Worker
  readonly answers: unknown[]
  readonly awaited: number
  readonly end: () => void
}

/** Hands questions of one worker on to the others, and their answers back. */
export function relayBetweenWorkers(): void {
  const rounds = new Map<string, Round>()

  function begin(requester: Worker, number: number): void {
    const key = `${requester.id} ${number}`
    const others = Object.values(cluster.workers ?? {}).filter(
      (worker) => worker !== undefined && worker.id !== requester.id && worker.isConnected(),
    )
    const answers: unknown[] = []
    const end = (): void => {
      clearTimeout(timer)
      if (rounds.delete(key)) send(requester, { kind: 'answers', number, answers })
    }
    const timer = setTimeout(end, PATIENCE_MS)
    rounds.set(key, { requester, answers, awaited: others.length, end })
    if (others.length === 0) end()
    for (const other of others)
      if (other !== undefined) send(other, { kind: 'handed-on', number, requester: requester.id })
  }

  function take({ requester, number, answer }: PeerAnswer): void {
    const round = rounds.get(`${requester} ${number}`)
    round?.answers.push(answer)
    if (round !== undefined && round.answers.length === round.awaited) round.end()
  }

  cluster.on('message', (worker, message: unknown) => {
    if (!isPeerMessage(message)) return
    if (message.kind === 'question') begin(worker, message.number)
    else if (message.kind === 'answer') take(message)
  })
}

function send(worker: Worker, message: PeerMessage): void {
  // One that has just ended is no longer there to be told.
  if (worker.isConnected()) worker.send(message, () => {})
}

/** For a worker, the others: by way of the process that minds them all. */
export function workerPeers(): Peers {
  const asked = new Map<number, (answers: readonly unknown[]) => void>()
  let last = 0
  let answer: () => Promise<unknown> = async () => null

  process.on('message', (message: unknown) => {
    if (!isPeerMessage(message)) return
    if (message.kind === 'answers') {
      asked.get(message.number)?.(message.answers)
      asked.delete(message.number)
    } else if (message.kind === 'handed-on') {
      const { number, requester } = message
      answer().then(
        (own) => sendToRelay({ kind: 'answer', number, requester, answer: own }),
        (error: unknown) => tell(`a process could not tell another one its numbers: ${error}`),
      )
    }
  })
  return {
    answerWith(give) {
      answer = give
    },
    ask: () =>
      new Promise((resolve) => {
        const number = ++last
        asked.set(number, resolve)
        sendToRelay({ kind: 'question', number })
      }),
  }
}

/** The other process may be gone already: then nobody waits for anything any more. */
function sendToRelay(message: PeerMessage): void {
  if (process.connected) process.send?.(message)
}
