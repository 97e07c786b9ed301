import type { Survey, SurveyFound } from '../../query/ast/survey.ts'
import type { QueryPlan, Scope } from '../../query/plan.ts'
import type { FieldKnowledge } from '../../query/warnings/field-knowledge.ts'
import type { Once } from './answers.ts'
import type { Actor } from './audit.ts'

/** One page of a list, ready to be sent. */
export interface Page {
  /** The documents as the bytes of a JSON array: `[{…},{…}]`. */
  readonly documents: Buffer
  /** Number of documents in the array. */
  readonly count: number
  /** Value of `ListRequest.after` for the next page; null when there is none. */
  readonly next: string | null
  readonly report: RunReport
}

/** For whom something is read that may take long. Without, it is for the server itself, or for whoever runs a command. */
export interface ReadTerms {
  /** Long reads take fair turns between users. */
  readonly user: string
  /** The id of the request in whose course it is read, for the log. */
  readonly request?: string | null
  /** The answer is of the state at this moment, as `performance.now()` has it, or of a later one; left out, of when it is asked. */
  readonly since?: number | undefined
  /** Aborted when nobody waits for the answer any more: what is under way for it ends. */
  readonly signal?: AbortSignal | undefined
}

/** A record as it is stored: its text is the very text that is served. */
export interface StoredRecord {
  readonly id: string
  /** The account that the record belongs to, whoever changes it. */
  readonly accountId: string
  readonly isPublic: boolean
  /** A word that no other record has or will have, not even one with the id of this one once it is deleted. It tells nothing else. */
  readonly serial: string
  /** Counts the writes to this record, from 1. */
  readonly version: number
  readonly text: string
  /** Fields that follow from other records, as the text of an object: queries see them, and clients who ask for them. Left out, there are none. */
  readonly derived?: string
}

/** A version of a record as its history tells of it. */
export interface RevisionNote {
  /** Counts the writes to this record, from 1. */
  readonly version: number
  /** Note given when the version was written; null when none was. */
  readonly note: string | null
}

/** A record that was removed and can be restored: no query sees it, nor any account but its own. */
export interface RemovedRecord extends StoredRecord {
  /** Note given when it was removed. */
  readonly removal: string | null
}

export type RemovedEntry = Pick<RemovedRecord, 'id' | 'version' | 'removal'>

interface WrittenContent {
  readonly isPublic: boolean
  /** At most one record of an account in a collection is the default. Left out, it is as it was: at first false. */
  readonly isDefault?: boolean
  readonly text: string
  /** As a stored record has them, empty for none; left out, they stay as they were. No version before has them. */
  readonly derived?: string
  /** Kept with the version, beside its text: who wrote it, and why. The store does not read it. */
  readonly note?: string
  readonly gaveUpMs?: GaveUp
}

/** Milliseconds after which something computed was given up; null: nothing is to be tried again. Left out, as it was; when restored, 0: once more. */
type GaveUp = number | null

/** Selection of records to compute anew. */
export interface GivenUpTerms {
  /** Those where it was given up before so many milliseconds had passed. */
  readonly belowMs: number
  /** `next` of the answer before; 0 at the beginning. */
  readonly after: number
  readonly limit: number
}

/** Some of them, in their natural order. */
export interface GivenUpRecords {
  readonly records: readonly StoredRecord[]
  readonly next: number
}

/** Names one record by whose it is: other accounts may have its id. `expectedVersion` makes a cycle of read, change, write safe without locks. */
interface RecordAddress {
  readonly collection: string
  readonly id: string
  /** The account that the record belongs to, whoever changes it. */
  readonly accountId: string
  readonly expectedVersion: number
}

/** Change of one record. The audit does not keep what `follows` from changes of others, and names apart what the program has computed anew. */
export type Change = { readonly follows?: true; readonly isRecomputed?: true } & (
  | ({
      readonly action: 'insert'
      readonly collection: string
      readonly id: string
      readonly accountId: string
    } & WrittenContent)
  /** The version before is kept as a revision, unless it is not worth it: what comes in its place has its note, where it brings none. */
  | ({ readonly action: 'replace'; readonly keepsRevision?: false } & RecordAddress & WrittenContent)
  /** Puts a record aside, from where it can be restored; one of the same account and id that was there before is gone. */
  | ({ readonly action: 'remove'; readonly note?: string } & RecordAddress)
  /** Deletes a record with its revisions: nothing can be restored. */
  | ({ readonly action: 'erase' } & RecordAddress)
  /** Brings a removed record back as its next version, in its old place of the natural order. */
  | ({ readonly action: 'restore' } & RecordAddress & WrittenContent)
  /** Deletes a removed record with its revisions. */
  | ({ readonly action: 'purge' } & RecordAddress)
  /** Changes nothing of the record, but fails what is applied with it when the record is not as expected. */
  | ({ readonly action: 'expect'; readonly gaveUpMs?: GaveUp } & RecordAddress)
)

/**
 * `exists`: the id is taken, by the account or in public. `missing`: no such record. `changed`: another write came first, or another default.
 * `full`: the account may have no more; only of `applyEach`.
 */
export type ChangeResult =
  | { readonly outcome: 'done'; readonly serial: string; readonly version: number }
  | { readonly outcome: 'exists' | 'missing' | 'changed' }
  | StorageExceeded

/** Store of records. Every implementation runs the same contract suite (`test/contract`). */
export interface RecordStore {
  /** Runs a list plan. Refuses with `STORE_ERRORS.timeBudget` when the plan takes more than allowed, with `busy` when the server does not come to it. */
  find(plan: QueryPlan, terms?: ReadTerms): Promise<Page>
  /** Counts what a plan matches; its skip and limit do not matter. */
  count(plan: QueryPlan, terms?: ReadTerms): Promise<number>
  /** Tells what the records have that a plan matches, as far as they can be looked at in the survey's time; sort, fields and page do not matter. */
  survey<Asked extends Survey>(plan: QueryPlan, survey: Asked, terms?: ReadTerms): Promise<SurveyFound<Asked>>
  /**
   * Yields all that a plan matches as NDJSON; its limit does not matter. No state is held meanwhile: a record that matches throughout comes once,
   * as it is at its turn, in the order of the beginning; none comes twice, and none that was added later.
   */
  stream(plan: QueryPlan, terms?: ReadTerms): AsyncIterable<Buffer>
  /** Reads one record that the scope can see; null when there is none, without telling why. */
  read(collection: string, scope: Scope, id: string): Promise<StoredRecord | null>
  /**
   * Applies all changes or none (where a result is not `done`); resolves when they are on disk. `by` is for the audit. With `once` the answer
   * is kept with the changes; refuses with `STORE_ERRORS.repeated` when one is kept under its key.
   */
  apply(changes: readonly Change[], by?: Actor, once?: Once): Promise<readonly ChangeResult[]>
  /** Applies each change by itself; resolves when all that are `done` are on disk. For imports. */
  applyEach(changes: readonly Change[], by?: Actor): Promise<readonly ChangeResult[]>
  /** Reads records, of whatever account, of which something that is computed was given up. */
  readGivenUp(collection: string, terms: GivenUpTerms): Promise<GivenUpRecords>
  /** Reads the default record of an account, if it has one that the scope can see. */
  readDefault(collection: string, scope: Scope, accountId: string): Promise<StoredRecord | null>
  /** Lists versions of a record of the scope's account, newest first, as far as texts are kept. Null: it has none, removed ones not counted. */
  history(collection: string, scope: Scope, id: string): Promise<readonly RevisionNote[] | null>
  /** Reads the text of a version that is kept of a record that belongs to the scope's account. */
  readRevision(collection: string, scope: Scope, id: string, version: number): Promise<string | null>
  /** Lists the records that were removed from the scope's account, the latest first. */
  listRemoved(collection: string, scope: Scope, skip: number, limit: number): Promise<readonly RemovedEntry[]>
  /** Reads one record that was removed from the scope's account. */
  readRemoved(collection: string, scope: Scope, id: string): Promise<RemovedRecord | null>
  /** Finds those of some contents that a record of whatever account, an earlier version or a removed record names: by reading all of them. */
  namedFiles(hashes: readonly string[], signal?: AbortSignal): Promise<ReadonlySet<string>>
  /** Finds something out from fields of visible records; null while that is not known. Of several calls of `find` the last counts. */
  askKnowledge<Found>(
    collection: string,
    scope: Scope,
    find: (knowledge: FieldKnowledge | null) => Found,
    since?: number,
  ): Promise<Found>
  /** Grows whenever what the scope can see may have changed, by whichever process; cheap enough for every request. `since`: as in `ReadTerms`. */
  readChangeCounter(scope: Scope, since?: number): Promise<number>
  /** Gives each collection that the scope sees a word: another one whenever what it sees of it has changed, and perhaps where nothing has. */
  readCollectionMarks(scope: Scope): Promise<ReadonlyMap<string, string>>
}

/** Report of a run, for `explain` and `Server-Timing`. */
export interface RunReport {
  /** Homes that were asked: the public one, and the requester's own. */
  readonly homes: number
  readonly segments: number
  /** Records that no segment held, each of which was looked at. */
  readonly tail: number
  /** Columns that were looked at, and those of them that had to be read from the database first. */
  readonly columns: number
  readonly loaded: number
  /** Rows of segments that columns alone told of, and those whose documents were read because columns could not tell. */
  readonly byColumn: number
  readonly byDocument: number
  /** Thread: the request thread for what is at hand and short, a reader thread for all else. */
  readonly thread: 'request' | 'reader'
  readonly milliseconds: number
  /** The same time by station: looking at homes, choosing the records, fetching their documents. */
  readonly stations: { readonly homes: number; readonly choose: number; readonly documents: number }
}

/** Storage quota of one account; 0: as much as the disk holds. */
export interface StorageLimits {
  /** Records, with those that were removed and may be restored. */
  readonly records: number
  /** Bytes of their texts in UTF-8 and of the files that these list, earlier versions left out. */
  readonly bytes: number
}

export const NO_STORAGE_LIMITS: StorageLimits = { records: 0, bytes: 0 }

/** A change that was not made, because its account would have more than it may. */
export interface StorageExceeded {
  readonly outcome: 'full'
  readonly quota: keyof StorageLimits
  readonly limit: number
}
