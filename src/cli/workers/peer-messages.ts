/** A worker asks the others. */
export interface Question {
  readonly kind: 'question'
  readonly number: number
}

/** The process that minds the workers hands the question on. */
export interface HandedOn {
  readonly kind: 'handed-on'
  readonly number: number
  /** Of the worker that asks. */
  readonly asker: number
}

/** What one of the others answers. */
export interface PeerAnswer {
  readonly kind: 'answer'
  readonly number: number
  readonly asker: number
  readonly answer: unknown
}

/** What the one that asks gets: all answers that came in time. */
export interface Answers {
  readonly kind: 'answers'
  readonly number: number
  readonly answers: readonly unknown[]
}

export type PeerMessage = Question | HandedOn | PeerAnswer | Answers

/** Tells messages of this kind from the others that go between the processes. */
export function isPeerMessage(message: unknown): message is PeerMessage {
  return typeof message === 'object' && message !== null && 'kind' in message && 'number' in message
}
