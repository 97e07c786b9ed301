import { useEffect, useState } from 'preact/hooks'
import { type Answer, ask, type Method, type Sent } from '../../api/client.ts'
import { chosenAccount } from '../../app/session.ts'
import { writes } from '../../app/undo.ts'

/** What is asked of the API; one that is written in the same way has the same answer. */
export interface Question {
  readonly method: Method
  readonly path: string
  readonly search?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export type Answered<T> = { readonly question: string } & ({ readonly answer: Answer<T> } | { readonly error: unknown })

/** What the server answers, null at first; the answer to the question before stays until the next one is there. It is asked again in another round, and after a write of this page. */
export function useAnswer<T>(question: Question | null, round = 0): Answered<T> | null {
  const [answered, setAnswered] = useState<Answered<T> | null>(null)
  const account = chosenAccount.value
  const key = question === null ? '' : keyOf(question)
  useEffect(() => {
    if (question === null) return
    const end = new AbortController()
    const { method, path, search, body } = question
    const sent: Sent = { ...(search && { search }), ...(body === undefined ? {} : { body }), signal: end.signal }
    ask<T>(method, path, sent).then(
      (answer) => setAnswered({ question: key, answer }),
      (error) => end.signal.aborted || setAnswered({ question: key, error }),
    )
    return () => end.abort()
  }, [key, account, round, writes.value])
  return answered
}

/** Whether an answer is that of a question, and not of one before. */
export function isAnswerOf(answered: Answered<unknown> | null, question: Question | null): boolean {
  return question !== null && answered?.question === keyOf(question)
}

function keyOf(question: Question): string {
  return JSON.stringify(question)
}
