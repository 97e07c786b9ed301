import type { Session } from '../../accounts/session.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { RandomSource } from '../../kernel/ids.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Log } from '../../kernel/log.ts'
import type { ClientBytes } from '../../kernel/long-bytes.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type { PoolFigures } from '../../kernel/worker-pool.ts'
import type { AccountStore } from '../../store/port/account-store.ts'
import type { Once } from '../../store/port/answers.ts'
import type { RecordStore, StoredRecord } from '../../store/port/record-store.ts'
import type { SymmetryTolerance } from '../../structure/symmetry/symmetry-report.ts'
import type { AnalysisTerms, DiffractionTerms } from '../kinds/material/crystal-answers.ts'
import type { MatchFound, MatchQuestion } from '../kinds/material/matching.ts'
import type { PictureTerms } from '../kinds/material/picture.ts'
import type { PrintTerms } from '../kinds/material/print-material.ts'
import type { SentFile } from '../kinds/material/structure-files.ts'
import type { RecordKind, RecordLimits, ScopedCollection } from '../record-kind.ts'
import type { Contribution } from './bank.ts'
import type { BodyFields, Form, LongFields } from './client-body.ts'
import type { Draft, DraftOutcome, DraftTerms, ReadyRecord } from './draft.ts'
import type { PrintOutcome } from './printed-material.ts'
import type { Recomputation, RecomputeOutcome, RevisedRecord, RevisionDraft, StoredState } from './revision.ts'
import type { FramesOfFile, WholeFile } from './take-apart.ts'

/** What the use cases of this room need from outside. */
export interface RecordDeps {
  readonly store: RecordStore
  readonly clock: Clock
  readonly random: RandomSource
  readonly accounts: AccountStore
  readonly log: Log
  /** Where what clients send is made into records. */
  readonly work: RecordWork
}

/** What a use case gives to whoever answers with it. */
export interface AnsweredRecord extends StoredRecord {
  readonly duplicates?: readonly string[]
  readonly sameAs?: readonly { readonly _id: string; readonly rms: number; readonly strain: number }[]
  readonly isNew?: boolean
  readonly warnings?: readonly Warning[]
}

/**
 * Says with what a write is kept that is carried out once: the answer to it, made of what the use case is about to give. The serial of a new
 * record is not known then, and stands as `NEW_SERIAL`.
 */
export type TellOnce = (answered: AnsweredRecord) => Once

/** The records of one kind as one session has them: what a use case is called with. */
export interface Collection extends ScopedCollection {
  readonly deps: RecordDeps
  readonly kind: RecordKind
  readonly session: Session
  /** Where the request is carried out once; the use case has one write that is told. */
  readonly once?: TellOnce | undefined
}

/**
 * Makes records of what clients send, away from the thread that asks. Users take turns; whatever takes too long is ended, and refused
 * with the reason, or stored without the symmetry that could not be found in time.
 */
export interface RecordWork {
  readonly limits: RecordLimits
  readonly figures: PoolFigures
  /** Makes records; what comes of each is in their order. Rejects only when nobody is left to do it. */
  prepare(user: string, drafts: readonly Draft[], terms: DraftTerms): Promise<readonly DraftOutcome[]>
  /** Makes one record; throws the refusal when it cannot be made. */
  prepareOne(
    user: string,
    draft: Draft,
    terms: DraftTerms,
  ): Promise<{ readonly ready: ReadyRecord } | { readonly otherAccount: string }>
  /** Makes the next version of a record; null when nothing changes. */
  revise(user: string, draft: RevisionDraft): Promise<RevisedRecord | null>
  /** Says of a file's structure what a material made from it would say, as JSON text. */
  analyze(user: string, file: SentFile, terms: AnalysisTerms): Promise<string>
  /** The powder pattern of a file's structure, as JSON text. */
  diffraction(user: string, file: SentFile, terms: DiffractionTerms): Promise<string>
  /** The Brillouin zone and k-path of a file's structure, as JSON text. */
  reciprocal(user: string, file: SentFile, terms: SymmetryTolerance): Promise<string>
  /** Coordination numbers and bonds of a file's structure, as JSON text. */
  coordination(user: string, file: SentFile): Promise<string>
  /** The crystal of a file as an SVG picture. */
  picture(user: string, file: SentFile, terms: PictureTerms): Promise<string>
  /** Lays stored materials upon one, as many as fit into a turn, one at least; null for another crystal, and for one that is gone. */
  match(user: string, question: MatchQuestion): Promise<MatchFound>
  /** Writes the structure of a file in another format; gives a `Conversion` as JSON text. */
  convert(user: string, file: SentFile, terms: PrintTerms): Promise<string>
  /** Writes stored materials, given as text, as structure files; what comes of each is in their order. */
  print(user: string, texts: readonly string[], terms: PrintTerms): Promise<readonly PrintOutcome[]>
  /** Computes anew what follows from stored records; what comes of each is in their order. Nobody waits for it: it has turns of its own. */
  recompute(what: Recomputation, states: readonly StoredState[]): Promise<readonly RecomputeOutcome[]>
  /** The structures of a file, each with a text of its own; null where there is one. */
  takeApart(user: string, file: WholeFile): Promise<FramesOfFile | null>
  /** Reads fields of a JSON object that a client sent; of others, the first comes as null. */
  readBody(user: string, bytes: ClientBytes, fields: BodyFields): Promise<LongFields>
  /** Reads a form; of more files than `MOST_PARTS`, one more comes. */
  readForm(user: string, bytes: ClientBytes, type: string): Promise<Form>
  /** Reads some fields of a stored record; those that it does not have are left out. */
  pick(user: string, text: string, names: readonly string[]): Promise<JsonObject>
  /** The text of a stored record with other values in some of its fields. */
  put(user: string, text: string, fields: JsonObject): Promise<string>
  /** What a stored record brings to the bank of its kind. */
  contribution(
    user: string,
    kind: RecordKind,
    state: Pick<StoredRecord, 'isPublic' | 'text'>,
  ): Promise<Contribution | null>
}
