import type { Session } from '../accounts/session.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { Warning } from '../kernel/warnings.ts'
import type { Scope } from '../query/plan.ts'
import type { FieldGuide } from '../query/warnings/field-knowledge.ts'
import type { RecordStore } from '../store/port/record-store.ts'
import type { GroupFinder } from '../structure/symmetry/symmetry-report.ts'
import type { Violation } from './schema.ts'

/** Inputs of the computation of fields. */
export interface DeriveDeps {
  /** Finds space groups; without it materials are stored without, and say so. */
  readonly symmetry?: GroupFinder | undefined
  /** Milliseconds of processor time after which the search is given up. */
  readonly symmetryTimeMs?: number
  /** The record as the server has it: what was computed for it need not be computed again where nothing has changed. */
  readonly stored?: JsonObject | undefined
}

/** Collection of the public records of a kind: one of each content, whoever shares it. */
export interface Bank {
  /** Singular, for names in the API: `bank-material`. */
  readonly name: string
  /** Plural, as in the records' address: `materials`. */
  readonly collection: string
  /** Key by which two records count as one; null for a record that does not belong in the bank. */
  readonly keyOf: (document: JsonObject) => string | null
  /** The part of a record that follows from its content alone: what whoever shares it added is not the bank's to keep. */
  readonly entryOf: (document: JsonObject) => JsonObject
}

/** A kind of record: a JSON Schema and, where the server computes fields, a derive function. */
export interface RecordKind {
  /** Singular, as in the schema's address: `material`. */
  readonly name: string
  /** Plural, as in the records' address: `materials`. */
  readonly collection: string
  /** JSON Schema draft-07 of what a client must send; unknown fields are kept. */
  readonly schema: JsonObject
  /**
   * Finds what a schema cannot say. `isSound` tells whether the schema had nothing against a field and what is below it, so that a
   * check can rely on shapes.
   */
  readonly check: (document: JsonObject, isSound: (field: string) => boolean) => readonly Violation[]
  /** Finds what is probably not meant in a record that is stored all the same. */
  readonly remarks?: (document: JsonObject) => readonly Warning[]
  /** Fields that only `derive` writes: what a client sends in their place is dropped, also where nothing can be computed. */
  readonly derivedFields?: readonly string[]
  /** Items of a derived list that only `derive` writes. Clients may add others; without it, none. */
  readonly computedItems?: (field: string, value: Json | undefined) => readonly Json[] | undefined
  /** Paths below derived fields that records may have; those of other fields are in the schema. */
  readonly derivedPaths?: readonly string[]
  /** Title and unit of a field where the schema does not say; null where nothing is known. */
  readonly noteOf?: FieldGuide['noteOf']
  /** Names of the fields in other databases, in small letters, digits and dots alone, with the paths here. */
  readonly otherNames?: Readonly<Record<string, string>>
  /** Parameters of lists beside those of all. */
  readonly listParameters?: readonly ListParameter[]
  /** Checks the spelling of a text at a path, beyond the choices of the schema; null when it is right, or without a rule. */
  readonly spelling?: FieldGuide['spelling']
  /**
   * Computes the fields that the server owns from those that the client sent; runs at every write after validation, in a thread
   * that may be ended when it takes too long.
   */
  readonly derive: (document: JsonObject, deps: DeriveDeps) => JsonObject
  /** Tells why the symmetry of a stored record is not known where it might be; null where it is, or where there can be none. */
  readonly withoutSymmetry?: (document: JsonObject) => string | null
  /** Tells after how many milliseconds what is computed was given up, 0 where it was not tried; null where another try finds no more. */
  readonly gaveUpMs?: (document: JsonObject) => number | null
  /** The field by which two records of the kind have the same content; without it there are no duplicates. */
  readonly contentField?: string
  /** Fields by which records are found that are the same in another way of writing; the kind has a use case for that. */
  readonly likeness?: readonly string[]
  /** Bank of the public records of the kind. */
  readonly bank?: Bank
  /** Hint with a refusal of a record; when left out, the address of the schema. */
  readonly hint?: string
  /** Tells by its fields whether a document of an import is of this kind; without it, an import has to say so. */
  readonly recognizes?: (document: JsonObject) => boolean
  /** The record that every account has from the start, and that is its default until another one is. */
  readonly starter?: () => JsonObject
  /** Names a record that the client has not named; sees the derived fields too. */
  readonly defaultName: (document: JsonObject) => string
}

/** The records of one kind as far as a scope reaches: all that reading them takes. An operator reads in nobody's session. */
export interface ScopedCollection {
  readonly deps: { readonly store: RecordStore }
  readonly kind: RecordKind
  readonly session: { readonly scope: Scope } & Partial<Pick<Session, 'user'>>
}

/** Limits of a record. Depth counts nested objects and arrays, leaves their scalars. */
export interface RecordLimits {
  readonly bytes: number
  readonly depth: number
  readonly leaves: number
}

export const DEFAULT_RECORD_LIMITS: RecordLimits = { bytes: 16 * 1024 * 1024, depth: 64, leaves: 200_000 }

/** A parameter of lists of one kind of record, which takes a value in many spellings. */
export interface ListParameter {
  /** Singular, as in the schema's address: `material`. */
  readonly name: string
  /** Meaning, as a sentence. */
  readonly description: string
  readonly example: string
  /** Reads a value as a condition, or says what it should be. */
  readonly read: (text: string) => ParameterReading
}

export type ParameterReading =
  | { readonly filter: JsonObject }
  /** `expected` ends the sentence "The parameter takes …". */
  | { readonly expected: string; readonly hint: string }
