/** Hears what work of a user has taken, in milliseconds. */
type HearSpent = (user: string, milliseconds: number) => void

/** Where whatever does work for users says what it has taken, for whoever wants to know. */
export class Spending {
  #hear: HearSpent = () => {}

  /** Says what work of a user has taken. */
  readonly note: HearSpent = (user, milliseconds) => this.#hear(user, milliseconds)

  /** Has it told to somebody: to one only. */
  tell(hear: HearSpent): void {
    this.#hear = hear
  }
}
