import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { DocumentTexts } from '../../segments/document-texts.ts'
import type { Effort } from '../../segments/effort.ts'
import type { Shelf } from '../../shelf.ts'
import type { Sql } from '../base/database.ts'
import { inParts } from '../base/in-parts.ts'
import { numberIn, type RawRow } from '../base/raw-rows.ts'
import { Outdated } from './outdated.ts'

/** A text with the changes that its home had when it was written. */
interface Text {
  readonly home: string
  readonly stamp: number
  readonly bytes: Buffer
}

/** What an entry takes beside its bytes. */
const ENTRY_BYTES = 256
/** Shelves whose versions are remembered. */
const REMEMBERED_SHELVES = 10_000
/** Texts that are read with one statement. */
const READ_TOGETHER = 500

/** A shelf as a question sees it. */
export interface AskedShelf extends Shelf<string> {
  readonly version: number
}

/** The texts of records that this process holds; those that were not asked for longest go first. */
export class Texts {
  readonly #sql: Sql
  readonly #kept: BoundedCache<Text, number>
  /** How far shelves have been followed: what was read before that may have been told of already. */
  readonly #versions = new BoundedCache<number>({ most: REMEMBERED_SHELVES })

  constructor(sql: Sql, bytes: number) {
    this.#sql = sql
    this.#kept = new BoundedCache({ most: bytes })
  }

  /** The records may have other texts by now. */
  forget(numbers: Iterable<number>): void {
    for (const n of numbers) this.#kept.delete(n)
  }

  noteVersion(shelf: Shelf<string>, version: number): void {
    const name = nameOf(shelf)
    this.#versions.set(name, Math.max(version, this.#versions.get(name) ?? 0))
  }

  /** The texts of records as they were in a shelf at a version of it; refuses when one has changed since. */
  async read(shelf: AskedShelf, numbers: readonly number[], into: Map<number, Buffer>): Promise<void> {
    const unread: number[] = []
    for (const n of numbers) {
      const kept = this.#kept.get(n)
      if (kept !== undefined && kept.home === shelf.home && kept.stamp <= shelf.version) into.set(n, kept.bytes)
      else unread.push(n)
    }
    await Promise.all(inParts(unread, READ_TOGETHER).map((part) => this.#readSome(shelf, part, into)))
  }

  async #readSome(shelf: AskedShelf, numbers: readonly number[], into: Map<number, Buffer>): Promise<void> {
    const { home, collection, version } = shelf
    const rows = (await this.#sql`
      SELECT found.n, found.stamp, found.doc, (SELECT changes FROM home WHERE home.home = ${home})
      FROM unnest(${numbers as number[]}::bigint[]) asked (n) CROSS JOIN LATERAL (
        SELECT n, stamp, doc FROM record WHERE home = ${home} AND collection = ${collection} AND record.n = asked.n LIMIT 1
      ) found`.raw()) as unknown as readonly RawRow[]
    if (rows.length < numbers.length) throw new Outdated()
    const followed = this.#versions.get(nameOf(shelf))
    for (const row of rows) {
      const [n, stamp, bytes, seen] = [numberIn(row, 0), numberIn(row, 1), row[2] as Buffer, numberIn(row, 3)]
      if (stamp > version) throw new Outdated()
      into.set(n, bytes)
      if (followed !== undefined && seen >= followed)
        this.#kept.set(n, { home, stamp, bytes }, ENTRY_BYTES + bytes.length)
    }
  }
}

function nameOf({ home, collection }: Shelf<string>): string {
  return JSON.stringify([home, collection])
}

const NOT_READ = Buffer.from('{}')

/** The texts that a question has at hand. Of those that it has not it notes that they are missing, and gives an empty document in their place. */
export class TextsAtHand implements DocumentTexts {
  readonly texts = new Map<number, Buffer>()
  readonly missing = new Set<number>()

  lengthOf(numbers: readonly number[]): number {
    return numbers.reduce((sum, n) => sum + (this.texts.get(n)?.length ?? 0), 0)
  }

  *of(numbers: readonly number[], _effort: Effort): Generator<Buffer, void> {
    for (const n of numbers) {
      const text = this.texts.get(n)
      if (text === undefined) this.missing.add(n)
      yield text ?? NOT_READ
    }
  }
}
