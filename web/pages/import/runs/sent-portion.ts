import { ask, Refusal } from '../../../api/client.ts'
import type { RunsAnswer } from './files-of-no-run.ts'
import type { LeftAside, Portion, Sending } from './portions.ts'
import { isPassing, type SendingTerms, sendFile, UnreadableFile } from './send-file.ts'

/** Files that are sent at a time. */
const AT_ONCE = 4
/** The ticket of a file holds no longer, or is of another account. */
const NO_TICKET = 40320

const NOTHING: RunsAnswer = { calculations: [], unused: [], structures: [], licensed: [] }

/** Terms of what is asked: without storing anything, or to store it, for the account or for everybody. */
export interface AskingTerms extends SendingTerms {
  readonly isDry: boolean
  readonly isPublic: boolean
  /** Jobs that are meant; null for all. */
  readonly only: readonly string[] | null
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

  /** Has the portion looked at, or stored. */
  async ask(terms: AskingTerms): Promise<RunsAnswer> {
    await this.send(terms)
    try {
      return await this.#request(terms)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== NO_TICKET) throw error
      this.#tickets.clear()
      await this.send(terms)
      return this.#request(terms)
    }
  }

  async #request({ isDry: dryRun, isPublic, only, headers, signal }: AskingTerms): Promise<RunsAnswer> {
    const files = this.portion.sendings.flatMap((one) => {
      const ticket = this.#tickets.get(one)
      return ticket === undefined ? [] : [{ name: one.name, ticket }]
    })
    if (files.length === 0) return NOTHING
    const body = { files, dryRun, isPublic, ...(only === null ? {} : { only }) }
    return (await ask<RunsAnswer>('POST', '/jobs/import', { body, headers, signal })).data
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

/** Why a file cannot be sent at all; null where it is not about the file. */
function reasonOf(error: unknown): LeftAside['why'] | null {
  if (error instanceof UnreadableFile) return 'unreadable'
  return error instanceof Refusal && isAboutFiles(error) ? { says: error.message } : null
}

/** Whether a refusal is about what was sent; else it is about who sends it, or about the server. */
export function isAboutFiles(error: Refusal): boolean {
  return error.status >= 400 && error.status < 500 && ![401, 403].includes(error.status) && !isPassing(error)
}
