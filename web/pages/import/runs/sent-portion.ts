import { ask, Refusal } from '../../../api/client.ts'
import type { RunsAnswer } from './files-of-no-run.ts'
import type { PortionToStore } from './lines-to-store.ts'
import type { LeftAside, Portion, Sending } from './portions.ts'
import { isPassing, type SendingTerms, sendFile, UnreadableFile } from './send-file.ts'

/** Files that are sent at a time. */
const AT_ONCE = 4
/** The ticket of a file holds no longer, or is of another account. */
const NO_TICKET = 40320

const NOTHING: RunsAnswer = { calculations: [], unused: [], structures: [], licensed: [] }

/** Terms of what is sent and asked. */
export interface AskingTerms extends SendingTerms {
  /** Files that cannot be sent. */
  readonly onLeft: (left: LeftAside) => void
}

/** A portion on its way: what of it has arrived stays there for a day. */
export class SentPortion {
  readonly portion: Portion
  isLookedAt = false
  readonly #tickets = new Map<Sending, string>()
  #sending: Promise<void> | null = null

  constructor(portion: Portion) {
    this.portion = portion
  }

  /** Sends the files that have no ticket yet, once at a time. */
  send(terms: AskingTerms): Promise<void> {
    this.#sending ??= this.#sendFiles(terms).finally(() => {
      this.#sending = null
    })
    return this.#sending
  }

  /** Has the portion looked at. */
  ask(terms: AskingTerms): Promise<RunsAnswer> {
    return withTickets([this], async () => {
      const files = await this.sent(terms)
      if (files.length === 0) return NOTHING
      const { headers, signal } = terms
      return (await ask<RunsAnswer>('POST', '/jobs/import', { body: { files, dryRun: true }, headers, signal })).data
    })
  }

  /** The files with their tickets, once all are sent. */
  async sent(terms: AskingTerms): Promise<PortionToStore['files']> {
    await this.send(terms)
    return this.portion.sendings.flatMap((one) => {
      const ticket = this.#tickets.get(one)
      return ticket === undefined ? [] : [{ name: one.name, ticket }]
    })
  }

  /** Has the files sent once more: the server has them no longer, or for another account. */
  forget(): void {
    this.#tickets.clear()
  }

  async #sendFiles(terms: AskingTerms): Promise<void> {
    const left = this.portion.sendings.filter((one) => !this.#tickets.has(one))
    const send = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        try {
          this.#tickets.set(one, await sendFile(one, terms))
        } catch (error) {
          const why = reasonOf(error)
          if (why === null) throw error
          terms.onLeft({ path: one.path, why })
        }
      }
    }
    const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, send))
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}

/** Does something with portions that were sent; where that was too long ago, they are sent once more. */
export async function withTickets<T>(portions: readonly SentPortion[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== NO_TICKET) throw error
    for (const portion of portions) portion.forget()
    return work()
  }
}

/** Why a file cannot be sent at all; null where it is not about the file. */
function reasonOf(error: unknown): LeftAside['why'] | null {
  if (error instanceof UnreadableFile) return 'unreadable'
  return error instanceof Refusal && isAboutFiles(error) ? { says: error.message } : null
}

/** Whether a refusal is about what was sent; else it is about who sends it, or about the server. */
export function isAboutFiles(error: Refusal): boolean {
  return error.status >= 400 && error.status < 500 && ![401, 403].includes(error.status) && !isPassing(error)
}
