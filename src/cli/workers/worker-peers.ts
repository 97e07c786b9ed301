import type { Peers } from '../../kernel/peers.ts'
import { tell } from '../output.ts'
import { isPeerMessage, type PeerMessage } from './peer-messages.ts'

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
      const { number, asker } = message
      answer().then(
        (own) => send({ kind: 'answer', number, asker, answer: own }),
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
        send({ kind: 'question', number })
      }),
  }
}

/** The other process may be gone already: then nobody waits for anything any more. */
function send(message: PeerMessage): void {
  if (process.connected) process.send?.(message)
}
