import type { JsonObject } from '../../../kernel/json.ts'
import { walkLeaves } from '../../../query/narrow/leaves.ts'
import { pathKindOf, pathKindOfType } from '../field-kind.ts'
import { pathTypeOf, storedLeafValue } from '../leaf-key.ts'

/** A row of the leaf index, without the record that it belongs to. */
export interface LeafEntry {
  readonly pathType: number
  readonly value: number | string
}

/** What one document puts into the leaf index and its counters. */
export interface DocumentLeaves {
  /** Each once. */
  readonly entries: readonly LeafEntry[]
  /** The paths at which the document has exactly one value, a whole scalar; each once. */
  readonly plainPaths: readonly number[]
  /** The paths at which it has values in an array. */
  readonly severalPaths: ReadonlySet<number>
  /** The paths at which values were left out. */
  readonly partialPaths: ReadonlySet<number>
  /** What kinds of values it has at which paths, as `field_kind` counts them; each once. */
  readonly kinds: ReadonlySet<number>
}

/** Works out what a document puts into the index; `numberOf` gives paths their numbers. */
export function documentLeaves(document: JsonObject, numberOf: (path: string) => number): DocumentLeaves {
  const entries: LeafEntry[] = []
  const plainPaths: number[] = []
  const severalPaths = new Set<number>()
  const partialPaths = new Set<number>()
  const kinds = new Set<number>()
  const met = new Map<number, Set<number | string>>()
  walkLeaves(document, {
    leaf(text, type, found, truncated, plain) {
      const path = numberOf(text)
      const pathType = pathTypeOf(path, type)
      const value = storedLeafValue(found)
      if (plain) {
        // No other value of the document has this path.
        entries.push({ pathType, value })
        kinds.add(pathKindOfType(pathType))
        if (!truncated) plainPaths.push(path)
        return
      }
      severalPaths.add(path)
      const values = met.get(pathType)
      if (values?.has(value)) return
      if (values === undefined) {
        met.set(pathType, new Set([value]))
        kinds.add(pathKindOfType(pathType))
      } else values.add(value)
      entries.push({ pathType, value })
    },
    leftOut(text, type) {
      const path = numberOf(text)
      partialPaths.add(path)
      kinds.add(pathKindOf(path, type)).add(pathKindOf(path, 'leftOut'))
    },
    holder: (path, kind) => kinds.add(pathKindOf(numberOf(path), kind)),
  })
  return { entries, plainPaths, severalPaths, partialPaths, kinds }
}

/** What a record without a document has in the index. */
export const NO_LEAVES: DocumentLeaves = {
  entries: [],
  plainPaths: [],
  severalPaths: new Set(),
  partialPaths: new Set(),
  kinds: new Set(),
}

/** The entries of one document that another does not have. */
export function entriesBeside(entries: readonly LeafEntry[], others: readonly LeafEntry[]): LeafEntry[] {
  const there = new Set(others.map(nameOf))
  return entries.filter((entry) => !there.has(nameOf(entry)))
}

/** Equal for equal entries. */
function nameOf({ pathType, value }: LeafEntry): string {
  return `${pathType} ${value}`
}
