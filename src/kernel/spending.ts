/** Hears what work of a user has taken, in milliseconds. */
type HearSpent = (user: string, milliseconds: number) => void

/** Passes on, to one listener, what work for users has taken. */
export class Spending {
  #hear: HearSpent = () => {}

  /** Says what work of a user has taken. */
  readonly note: HearSpent = (user, milliseconds) => this.#hear(user, milliseconds)

  /** Has it told to somebody: to one only. */
  tell(hear: HearSpent): void {
    this.#hear = hear
  }
}
