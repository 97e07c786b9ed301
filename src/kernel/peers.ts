/** The other processes of a server that has several. */
export interface Peers {
  /** Asks each of them; whoever does not answer in time is left out. */
  ask(): Promise<readonly unknown[]>
  /** Says what this process answers when another one asks. Answers are plain data. */
  answerWith(answer: () => Promise<unknown>): void
}
