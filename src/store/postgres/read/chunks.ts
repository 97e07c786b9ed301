import { type ChunkSource, ColumnNotLoaded, type SharedChunks } from '../../segments/column-cache.ts'
import { chunksOf } from '../base/segment-rows.ts'
import { Outdated } from './outdated.ts'
import type { HeldChunks, Within } from './within.ts'

export interface ChunkName {
  readonly segment: number
  readonly chunk: number
}

/** A chunk that a question wants, with the rows of its segment. */
export interface WantedChunk extends ChunkName {
  readonly rows: number
}

/** A chunk comes as hexadecimal text: to make bytes of that takes about so many steps for each row. */
const STEPS_OF_A_ROW = 2

/** The chunks that this process holds. The present question is the one that computes; each tells of itself before it goes on. */
export class Chunks implements ChunkSource {
  readonly #shared: SharedChunks
  #held: HeldChunks = new Map()

  constructor(shared: SharedChunks) {
    this.#shared = shared
  }

  /** Computes for a question from here on. */
  resume(held: HeldChunks): void {
    this.#held = held
  }

  find(segment: number, chunk: number): Uint8Array | null {
    return this.#held.get(nameOf({ segment, chunk })) ?? this.#shared.get(segment, chunk)
  }

  read(segment: number, chunk: number): Uint8Array {
    throw new ColumnNotLoaded(segment, chunk)
  }

  findWorked(segment: number, name: string): Uint8Array | null {
    return this.#shared.get(segment, name)
  }

  keepWorked(segment: number, name: string, bytes: Uint8Array): void {
    this.#shared.share(segment, name, bytes)
  }

  /** Reads chunks of segments of a home that are not at hand, and lets a question hold them. */
  async load(home: string, wanted: readonly WantedChunk[], { source, held, patience, spend }: Within): Promise<void> {
    const missing = new Map<number, number[]>()
    for (const { segment, chunk, rows } of wanted) {
      const bytes = this.#shared.get(segment, chunk)
      if (bytes !== null) held.set(nameOf({ segment, chunk }), bytes)
      if (bytes !== null || held.has(nameOf({ segment, chunk }))) continue
      spend(STEPS_OF_A_ROW * rows)
      missing.set(segment, [...(missing.get(segment) ?? []), chunk])
    }
    await Promise.all(
      Array.from(missing, async ([segment, chunks]) => {
        const read = await source.read(async (sql) => {
          const statement = chunksOf(sql, home, segment, chunks)
          const rows = await (patience?.waitFor(statement) ?? statement)
          return rows.length < new Set(chunks).size ? null : new Map(rows.map(({ number, bytes }) => [number, bytes]))
        })
        if (read === null) throw new Outdated()
        for (const [chunk, bytes] of read) {
          held.set(nameOf({ segment, chunk }), this.#shared.share(segment, chunk, bytes))
        }
      }),
    )
  }
}

function nameOf({ segment, chunk }: ChunkName): string {
  return `${segment}#${chunk}`
}
