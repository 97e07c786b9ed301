import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../../kernel/log.ts'
import { STORE_EVENTS } from '../../events.ts'
import type { Store } from '../../port/store.ts'
import { type UsualColumns, usualColumns } from '../../segments/usual-columns.ts'
import type { SqliteReaders } from './read-job.ts'
import type { Reader } from './reader.ts'

const MARK = 'usual-columns'
/** A start waits no longer for them. */
const LONGEST_MS = 300

interface ColumnsOfBeforeTerms {
  /** That of the request thread, with what it was asked for. */
  readonly reader: Pick<Reader, 'views' | 'columns'>
  readonly pool: SqliteReaders
  readonly marks: Pick<Store, 'readMark' | 'writeMark'>
  readonly log: Log
}

/** Columns that a server was asked for before it ended, which are there again after its next start. */
export class ColumnsOfBefore {
  readonly #terms: ColumnsOfBeforeTerms

  constructor(terms: ColumnsOfBeforeTerms) {
    this.#terms = terms
  }

  /** Has a reader thread bring them in. Goes on by itself where that takes long. */
  async bringIn(): Promise<void> {
    const over = new AbortController()
    const reading = this.#told(this.#read()).finally(() => over.abort())
    await Promise.race([reading, wait(LONGEST_MS, undefined, { ref: false, signal: over.signal }).catch(() => {})])
  }

  /** Notes them for the next start. */
  async note(): Promise<void> {
    const { reader, marks } = this.#terms
    const usual = usualColumns(reader.views.kept(), reader.columns)
    if (usual.length > 0) await this.#told(marks.writeMark(MARK, JSON.stringify(usual)))
  }

  async #read(): Promise<void> {
    const { pool, marks } = this.#terms
    const mark = await marks.readMark(MARK)
    if (mark === null) return
    const usual = JSON.parse(mark) as readonly UsualColumns[]
    await pool.run({ kind: 'columns', usual })
  }

  /** Nothing but the first questions waits where it fails. */
  async #told(work: Promise<void>): Promise<void> {
    try {
      await work
    } catch (error) {
      this.#terms.log.tell(STORE_EVENTS.columnsForgotten, {}, error)
    }
  }
}
