import { useEffect, useState } from 'preact/hooks'
import { chosenAccount } from '../app/session-state.ts'
import { type Answer, ask, type Method } from './client.ts'

/** What is asked of the API; one that is written in the same way has the same answer. */
export interface Question {
  readonly method: Method
  readonly path: string
  readonly search?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What came of a question; neither data nor an error while the first answer is on its way. */
export interface Answered<T> {
  readonly data: T | null
  readonly error: unknown
  /** The data with what was told beside them. */
  readonly answer: Answer<T> | null
  /** Whether it came of this very question, and not of the one before. */
  readonly isCurrent: boolean
}

const NOTHING = { question: '', answer: null, error: undefined }

/** What is at a path of the API; null where nothing is asked. */
export function reading(path: string | null, search: Readonly<Record<string, string>> = {}): Question | null {
  return path === null ? null : { method: 'GET', path, search }
}

/**
 * Asks a question whenever it, the account that is acted in, or what the answer depends on beside them, becomes another one; with null nothing is asked. The
 * answer to the question before stays until the next one is there.
 */
export function useAnswer<T>(question: Question | null, state: unknown = null): Answered<T> {
  const [came, setCame] = useState<{ question: string; answer: Answer<T> | null; error: unknown }>(NOTHING)
  const key = question === null ? '' : JSON.stringify(question)
  useEffect(() => {
    if (question === null) return
    const end = new AbortController()
    const { method, path, ...sent } = question
    ask<T>(method, path, { ...sent, signal: end.signal }).then(
      (answer) => setCame({ question: key, answer, error: undefined }),
      (error: unknown) => end.signal.aborted || setCame({ question: key, answer: null, error }),
    )
    return () => end.abort()
  }, [key, chosenAccount.value, state])
  const { answer, error } = came
  return { data: answer?.data ?? null, error, answer, isCurrent: key !== '' && came.question === key }
}
