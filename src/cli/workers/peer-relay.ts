import cluster, { type Worker } from 'node:cluster'
import { isPeerMessage, type PeerAnswer, type PeerMessage } from './peer-messages.ts'

/** Whoever asks for numbers has no use for them later. */
const PATIENCE_MS = 1000

interface Round {
  readonly asker: Worker
  readonly answers: unknown[]
  readonly awaited: number
  readonly end: () => void
}

/** Hands questions of one worker on to the others, and their answers back. */
export function relayBetweenWorkers(): void {
  const rounds = new Map<string, Round>()

  function begin(asker: Worker, number: number): void {
    const key = `${asker.id} ${number}`
    const others = Object.values(cluster.workers ?? {}).filter(
      (worker) => worker !== undefined && worker.id !== asker.id && worker.isConnected(),
    )
    const answers: unknown[] = []
    const end = (): void => {
      clearTimeout(timer)
      if (rounds.delete(key)) send(asker, { kind: 'answers', number, answers })
    }
    const timer = setTimeout(end, PATIENCE_MS)
    rounds.set(key, { asker, answers, awaited: others.length, end })
    if (others.length === 0) end()
    for (const other of others) if (other !== undefined) send(other, { kind: 'handed-on', number, asker: asker.id })
  }

  function take({ asker, number, answer }: PeerAnswer): void {
    const round = rounds.get(`${asker} ${number}`)
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
