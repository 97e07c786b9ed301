import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { FieldNode, FilterNode } from '../ast/filter.ts'
import type { FieldKind } from '../ast/survey.ts'
import { arrayIndexOf, NESTED_ARRAY } from '../paths.ts'

/**
 * A store's knowledge of the fields of one collection, as one requester sees it in one state. It follows from the records that the requester sees
 * and from no other: a field that only others have is the same as one that nobody has. To be asked within the turn in which it was given.
 */
export interface FieldKnowledge {
  /** Whether the requester sees any record: where there is none, nothing follows from what they have. */
  hasRecords(): boolean
  /** Kinds of visible values at a path without indexes, of an array also those of its elements. Null: too deep or too long to be known. */
  kindsAt(path: string): ReadonlySet<FieldKind> | null
  /** Tells whether a visible record has the value at a path; true where that cannot be told. */
  hasValue(path: string, value: Json): boolean
  /** The paths of visible records, those first that were met first, at most `most` of them. */
  paths(most: number): readonly string[]
}

/** Facts about fields of a kind of record, known without looking at any record. */
export interface FieldGuide {
  /** Plural name of the records: `materials`. */
  readonly many: string
  /** The paths that records of the kind may have by their description, whether or not any has. */
  readonly documented: ReadonlySet<string>
  /** The names that other databases have for fields, in small letters and digits alone, with what they are called here. */
  readonly otherNames: ReadonlyMap<string, string>
  /** The paths of times, which are texts: `2024-05-06T07:08:09.010Z`. */
  readonly instants: ReadonlySet<string>
  /** Title, unit and description of the field at a path; null where nothing is said. */
  readonly noteOf: (path: string) => FieldNote | null
  /** Spelling of a text at a path; null when it is as it should be, or when there is no rule for the path. */
  readonly spelling: (path: string, text: string) => Spelling | null
}

/** Title of a path, the unit of its numbers, and what is said of it; null where nothing is. */
export interface FieldNote {
  readonly title: string | null
  readonly unit: string | null
  readonly description: string | null
}

/** Fault of a text, and what would be right. */
export interface Spelling {
  /** The end of a sentence about it: `is written "NaCl"`. */
  readonly fault: string
  /** Right spelling; null when it is nothing that the field can be. */
  readonly right: string | null
  /** What would be right, in words. */
  readonly hint: string
  /** What to ask for in place of the text. */
  readonly instead?: readonly Instead[]
}

/** An operand, or operators, of the field itself or of another one. */
export interface Instead {
  readonly path?: string
  readonly operand: Json
}

const NOTHING: ReadonlySet<FieldKind> = new Set()

/** More numeric components than this make too many places to look in. */
const MOST_INDEXES = 3

/** Kinds of visible values at a query's path, whatever its numeric components stand for; null when that cannot be known. */
export function pathKinds(knowledge: FieldKnowledge, parts: readonly string[]): ReadonlySet<FieldKind> | null {
  const indexes = parts.filter((part) => arrayIndexOf(part) >= 0).length
  if (indexes === 0) return knowledge.kindsAt(parts.join('.'))
  return indexes > MOST_INDEXES ? null : kindsBelow(knowledge, [], parts)
}

/** A number is the name of a field, or, below what is ever an array, the index of an element or of an array within. */
function kindsBelow(
  knowledge: FieldKnowledge,
  above: readonly string[],
  parts: readonly string[],
): ReadonlySet<FieldKind> | null {
  const at = parts.findIndex((part) => arrayIndexOf(part) >= 0)
  if (at < 0) return knowledge.kindsAt([...above, ...parts].join('.'))
  const before = [...above, ...parts.slice(0, at)]
  const arrays = before.length === 0 ? NOTHING : knowledge.kindsAt(before.join('.'))
  if (arrays === null) return null
  const named = [...before, parts[at] as string]
  const ways = arrays.has('array') ? [named, before, [...before, NESTED_ARRAY]] : [named]
  const all = new Set<FieldKind>()
  for (const way of ways) {
    const kinds = kindsBelow(knowledge, way, parts.slice(at + 1))
    if (kinds === null) return null
    for (const kind of kinds) all.add(kind)
  }
  return all
}

/** Context of looking for warnings, and where it puts them. */
export interface Inquiry {
  readonly knowledge: FieldKnowledge
  readonly guide: FieldGuide
  readonly warnings: WarningList
  /** True when the request found nothing: then there is a reason to look closer, and the time for it. */
  readonly foundNothing: boolean
  /** The filter; where it is one condition, what was found is what that finds. */
  readonly only: FilterNode
  /** Tells which warnings a query has, by their codes; null: it is refused, or these are the warnings that somebody asks for. */
  readonly codesOf: ((query: JsonObject) => ReadonlySet<number> | null) | null
}

/** A field that visible records have, and where the client asks for it. */
export interface AskedField {
  /** Without indexes, as guides have it. */
  readonly path: string
  /** As it is asked for, from the top of a record. */
  readonly asked: string
  readonly place: string
  readonly kinds: ReadonlySet<FieldKind>
  /** Condition in which it is asked for, with `$elemMatch` and all that it is within. */
  readonly condition: FieldNode
  /** Within an odd number of negations. */
  readonly isNegated: boolean
}

/** Makes the path of a field without the indexes in it. */
export function pathWithoutIndexes(parts: readonly string[]): string {
  return parts.some(isIndex) ? parts.filter((part) => !isIndex(part)).join('.') : parts.join('.')
}

function isIndex(part: string): boolean {
  const first = part.charCodeAt(0)
  return first >= 48 && first <= 57 && /^\d+$/.test(part)
}

/** More of them are read by nobody. */
const MOST_WARNINGS = 20

/** The warnings of one request, each about one field once. */
export class WarningList {
  readonly #warnings: Warning[] = []
  readonly #told = new Set<string>()

  get all(): readonly Warning[] {
    return this.#warnings
  }

  get isFull(): boolean {
    return this.#warnings.length >= MOST_WARNINGS
  }

  /** Adds a warning about `subject`, unless there is one of the kind about it already. */
  add(subject: string, added: Warning): void {
    const name = `${added.code} ${subject}`
    if (this.isFull || this.#told.has(name)) return
    this.#told.add(name)
    this.#warnings.push(added)
  }
}
