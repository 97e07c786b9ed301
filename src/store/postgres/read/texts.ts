import { BoundedCache } from '../../../kernel/bounded-cache.ts'
import type { Effort } from '../../segments/effort.ts'
import type { DocumentTexts } from '../../segments/find-records.ts'
import { letGo } from '../../segments/text-slabs.ts'
import type { Shelf } from '../../shelf.ts'
import { numberIn, type RawRow, type Statements } from '../base/database.ts'
import { inParts, ofHomes } from '../base/each-home.ts'
import type { Patience } from '../base/patience.ts'
import { Outdated, type Within } from './within.ts'

/** A text with the changes that its home had when it was written. */
interface Text {
  readonly home: string
  readonly stamp: number
  readonly bytes: Buffer
}

/** Overhead of an entry, in bytes. */
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
  readonly #areSpread: boolean
  readonly #kept: BoundedCache<Text, number>
  /** Versions to which shelves were followed: `forget` may have been called for texts read before. */
  readonly #versions = new BoundedCache<number>({ most: REMEMBERED_SHELVES })

  constructor(bytes: number, areSpread: boolean) {
    this.#areSpread = areSpread
    this.#kept = new BoundedCache({ most: bytes })
  }

  /** The records may have other texts by now. */
  forget(numbers: Float64Array): void {
    letGo(this.#kept, numbers)
  }

  noteVersion(shelf: Shelf<string>, version: number): void {
    const name = nameOf(shelf)
    this.#versions.set(name, Math.max(version, this.#versions.get(name) ?? 0))
  }

  /** The texts of records as they were in shelves of a collection at versions of these; refuses when one has changed since. */
  async read(
    wanted: readonly (readonly [shelf: AskedShelf, numbers: readonly number[]])[],
    into: Map<number, Buffer>,
    within: Within,
  ): Promise<void> {
    const unread: Wanted[] = []
    for (const [shelf, numbers] of wanted) {
      for (const n of numbers) {
        const kept = this.#kept.get(n)
        if (kept !== undefined && kept.home === shelf.home && kept.stamp <= shelf.version) into.set(n, kept.bytes)
        else unread.push({ shelf, n })
      }
    }
    await Promise.all(inParts(unread, READ_TOGETHER).map((part) => this.#readSome(part, into, within)))
  }

  /** Keeps no texts of a shelf that was followed further meanwhile: `forget` may have been called for them. */
  async #readSome(wanted: readonly Wanted[], into: Map<number, Buffer>, within: Within): Promise<void> {
    const shelves = new Map(wanted.map(({ n, shelf }) => [n, shelf]))
    const asked = [...new Set(shelves.values())]
    const followed = new Map(asked.map((shelf) => [shelf, this.#versions.get(nameOf(shelf))]))
    const homes = new Set(asked.map(({ home }) => home))
    const rows = await within.source.read(
      async (sql) => {
        const found = await ofHomes([...homes], this.#areSpread, (together) =>
          readTexts(sql, together, wanted, within.patience),
        )
        return found.length < wanted.length ? null : found
      },
      // At least as far as what has been told of already, since it is kept.
      new Map(asked.map((shelf) => [shelf.home, Math.max(shelf.version, followed.get(shelf) ?? 0)])),
    )
    if (rows === null) throw new Outdated()
    const kept = new Set(
      asked.filter((shelf) => {
        const version = followed.get(shelf)
        return !within.isOneState && version !== undefined && version === this.#versions.get(nameOf(shelf))
      }),
    )
    for (const row of rows) {
      const [n, stamp, bytes] = [numberIn(row, 0), numberIn(row, 1), row[2] as Buffer]
      const shelf = shelves.get(n) as AskedShelf
      if (stamp > shelf.version) throw new Outdated()
      into.set(n, bytes)
      if (kept.has(shelf))
        // A copy: the bytes are a part of all that came with them.
        this.#kept.set(n, { home: shelf.home, stamp, bytes: Buffer.from(bytes) }, ENTRY_BYTES + bytes.length)
    }
  }
}

interface Wanted {
  readonly shelf: AskedShelf
  readonly n: number
}

/** Those of records of some homes that are there. */
async function readTexts(
  sql: Statements,
  together: readonly string[],
  wanted: readonly Wanted[],
  patience: Patience | undefined,
): Promise<readonly RawRow[]> {
  const own = wanted.filter(({ shelf }) => together.includes(shelf.home))
  const collection = own[0]?.shelf.collection ?? ''
  const numbers = own.map(({ n }) => n)
  const [home = ''] = together
  const statement = (
    together.length === 1
      ? sql`
        SELECT found.n, found.stamp, found.doc FROM unnest(${numbers}::bigint[]) asked (n) CROSS JOIN LATERAL (
          SELECT n, stamp, doc FROM record WHERE home = ${home} AND collection = ${collection} AND record.n = asked.n LIMIT 1
        ) found`
      : sql`
        SELECT found.n, found.stamp, found.doc
        FROM unnest(${own.map(({ shelf }) => shelf.home)}::text[], ${numbers}::bigint[]) asked (home, n) CROSS JOIN LATERAL (
          SELECT n, stamp, doc FROM record
          WHERE record.home = asked.home AND collection = ${collection} AND record.n = asked.n LIMIT 1
        ) found`
  ).raw()
  return (await (patience?.waitFor(statement) ?? statement)) as unknown as readonly RawRow[]
}

function nameOf({ home, collection }: Shelf<string>): string {
  return JSON.stringify([home, collection])
}

const NOT_READ = Buffer.from('{}')

/** The texts that a question has at hand. Of those that it has not it notes that they are missing, and gives an empty document in their place. */
export class TextsAtHand implements DocumentTexts {
  readonly texts = new Map<number, Buffer>()
  readonly missing = new Set<number>()

  get bytes(): number {
    let bytes = 0
    for (const { length } of this.texts.values()) bytes += length
    return bytes
  }

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
