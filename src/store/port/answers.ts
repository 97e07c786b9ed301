/** A request that is to be carried out once, however often it is sent. */
export interface Once {
  /** The account in whose home the answer is kept. */
  readonly accountId: string
  /** Tells the request from others of the account: a digest of its key and of who sent it. */
  readonly key: string
  /** A digest of all that was asked, by which another request under the same key is recognised. */
  readonly asked: string
  /** Text of the answer. The store does not read it. */
  readonly answer: string
  /** The id of the record that the answer shows; it goes when that is deleted for good. */
  readonly record: string | null
  readonly at: number
}

/** Answer kept when a request was carried out. */
export interface KeptAnswer {
  readonly asked: string
  readonly answer: string
  /** The serial of the record that the first change of the request made or met; null where it was no change of records. */
  readonly serial: string | null
}

export const ANSWERS_KEPT_MS = 24 * 3_600_000
/** Most answers of one account, and most bytes of them; the oldest go first, the newest stays whatever its size. */
export const MOST_ANSWERS = 10_000
export const MOST_ANSWER_BYTES = 32 * 1024 * 1024

/** Answers to requests that are carried out once. Those of writes are kept in the transaction of the write, which is told of them. */
export interface AnswerStore {
  /** Finds what was answered; null when nothing is known of such a request, or not any more. */
  find(accountId: string, key: string, now: number): Promise<KeptAnswer | null>
  /** Keeps the answer to a request that has written nothing by itself, unless another was kept meanwhile. */
  keep(once: Once): Promise<void>
}
