import { unpackError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type Log, SILENT_LOG } from '../../kernel/log.ts'
import type { ClientBytes } from '../../kernel/long-bytes.ts'
import { workerEntry } from '../../kernel/worker-entry.ts'
import { type PoolFigures, TaskEnded, WorkerPool, type WorkerPoolOptions } from '../../kernel/worker-pool.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { DEFAULT_LIMITS, type StructureLimits } from '../../structure/crystal.ts'
import { STRUCTURE_EVENTS } from '../../structure/events.ts'
import { DEFAULT_TOLERANCE_ANGSTROM, type SymmetryTolerance } from '../../structure/symmetry/symmetry-report.ts'
import { RECORD_EVENTS } from '../events.ts'
import type { AnalysisTerms, DiffractionTerms } from '../kinds/material/crystal-answers.ts'
import type { MatchFound, MatchQuestion } from '../kinds/material/matching.ts'
import type { PictureTerms } from '../kinds/material/picture.ts'
import type { PrintTerms } from '../kinds/material/print-material.ts'
import type { SentFile } from '../kinds/material/structure-files.ts'
import { DEFAULT_RECORD_LIMITS, type RecordKind, type RecordLimits } from '../record-kind.ts'
import type { Contribution } from './bank.ts'
import { contributionOf } from './bank-changes.ts'
import { type BodyFields, type Form, type LongFields, pickFields, putFields, SHORT_TEXT } from './client-body.ts'
import type { RecordWork } from './deps.ts'
import type { Draft, DraftOutcome, DraftTerms, ReadyRecord } from './draft.ts'
import type { PrintOutcome, StoredMaterial } from './printed-material.ts'
import type { RecordTasks, SymmetryTerms, ThreadRules } from './record-thread.ts'
import type { Recomputation, RecomputeOutcome, RevisedRecord, RevisionDraft, StoredState } from './revision.ts'
import { carriedBytes, costOf, endedRefusal, packDraft, placeOf, reasonOf, runBatch, tasksOf } from './run-batch.ts'
import type { FramesOfFile, WholeFile } from './take-apart.ts'

/** How records are made; what is left out has a default. */
export interface RecordThreadsOptions {
  readonly threads?: number
  /** Most threads that work for one user at a time. */
  readonly threadsPerUser?: number
  /** Kinds of an operator, which have no code. */
  readonly operatorKinds?: ThreadRules['operatorKinds']
  readonly limits?: RecordLimits
  readonly structureLimits?: StructureLimits
  /** Null: materials are stored without their space group, and say so. */
  readonly symmetry?: Partial<SymmetryTerms> | null
  /** Milliseconds of processor time for one record, its symmetry aside. */
  readonly timeLimitMs?: number
  readonly log?: Log
  /** Told what the work of users takes, in milliseconds on a processor. */
  readonly onSpent?: WorkerPoolOptions['onSpent'] | undefined
}

export const DEFAULT_RECORD_TIME_MS = 5000
export const DEFAULT_SYMMETRY_TIME_MS = 2000

/** For whom the server works when nobody has asked. */
const SERVER = 'server'

/** About how many milliseconds it takes to find the files of a form. */
const FORM_MS_PER_MIB = 5
const MIB = 1024 * 1024

/** MiB of one thread: the largest record that may be has room in it several times. */
const MEMORY_MB = 512

/** Makes records on threads of their own: each has a limit of processor time, at which its thread really ends, and its symmetry another. */
export class RecordThreads implements RecordWork {
  readonly limits: RecordLimits
  readonly #pool: WorkerPool<RecordTasks>
  readonly #log: Log

  constructor({
    threads = 2,
    threadsPerUser = threads,
    operatorKinds = [],
    limits = DEFAULT_RECORD_LIMITS,
    structureLimits = DEFAULT_LIMITS,
    symmetry = {},
    timeLimitMs = DEFAULT_RECORD_TIME_MS,
    log = SILENT_LOG,
    onSpent = () => {},
  }: RecordThreadsOptions = {}) {
    this.limits = limits
    this.#log = log
    const symmetryTerms = { tolerance: DEFAULT_TOLERANCE_ANGSTROM, timeLimitMs: DEFAULT_SYMMETRY_TIME_MS, ...symmetry }
    const data: ThreadRules = {
      operatorKinds: operatorKinds.map(({ name, collection, schema }) => ({ name, collection, schema })),
      limits,
      structureLimits,
      symmetry: symmetry === null ? null : symmetryTerms,
      timeLimitMs,
    }
    this.#pool = new WorkerPool({
      entry: workerEntry('records/work/record-thread.ts'),
      threads,
      threadsPerUser,
      cpuLimitMs: timeLimitMs,
      onSpent,
      memoryMb: MEMORY_MB,
      data,
    })
  }

  get figures(): PoolFigures {
    return this.#pool.figures
  }

  async prepare(user: string, drafts: readonly Draft[], terms: DraftTerms): Promise<readonly DraftOutcome[]> {
    const outcomes = await Promise.all(tasksOf(drafts).map((task) => this.#prepareTask(user, task, terms)))
    return outcomes.flat()
  }

  async prepareOne(
    user: string,
    draft: Draft,
    terms: DraftTerms,
  ): Promise<{ readonly ready: ReadyRecord } | { readonly otherAccount: string }> {
    const [outcome] = await this.#prepareTask(user, [draft], terms)
    if (outcome === undefined) throw new Error('nothing came of a record')
    if ('refusal' in outcome) throw unpackError(outcome.refusal)
    if ('fault' in outcome) throw new Error(outcome.fault)
    return outcome
  }

  revise(user: string, draft: RevisionDraft): Promise<RevisedRecord | null> {
    return this.#alone((noSymmetry) => {
      const input = noSymmetry === undefined ? draft : { ...draft, noSymmetry }
      return this.#pool.run('revise', input, { user, cost: costOf(draft.text.length) })
    })
  }

  analyze(user: string, file: SentFile, asked: AnalysisTerms = {}): Promise<string> {
    const terms = { user, cost: costOf(file.text.length) }
    return this.#alone((noSymmetry) => this.#pool.run('analyze', { file, ...asked, noSymmetry }, terms))
  }

  diffraction(user: string, file: SentFile, asked: DiffractionTerms): Promise<string> {
    const terms = { user, cost: costOf(file.text.length) }
    return this.#alone((noSymmetry) => this.#pool.run('diffraction', { file, terms: asked, noSymmetry }, terms))
  }

  reciprocal(user: string, file: SentFile, { tolerance }: SymmetryTolerance): Promise<string> {
    const terms = { user, cost: costOf(file.text.length) }
    return this.#alone((noSymmetry) => this.#pool.run('reciprocal', { file, tolerance, noSymmetry }, terms))
  }

  coordination(user: string, file: SentFile): Promise<string> {
    const terms = { user, cost: costOf(file.text.length) }
    return this.#alone((noSymmetry) => this.#pool.run('coordination', { file, noSymmetry }, terms))
  }

  picture(user: string, file: SentFile, asked: PictureTerms): Promise<string> {
    const terms = { user, cost: costOf(file.text.length) }
    return this.#alone(() => this.#pool.run('picture', { file, terms: asked }, terms))
  }

  match(user: string, question: MatchQuestion): Promise<MatchFound> {
    const { text, candidates } = question
    const cost = candidates.reduce((sum, candidate) => sum + costOf(candidate?.length ?? 0), costOf(text.length))
    return this.#alone(() => this.#pool.run('match', question, { user, cost }))
  }

  convert(user: string, file: SentFile, asked: PrintTerms): Promise<string> {
    const terms = { user, cost: costOf(file.text.length) }
    return this.#alone((noSymmetry) => this.#pool.run('convert', { file, terms: asked, noSymmetry }, terms))
  }

  print(user: string, texts: readonly string[], terms: PrintTerms): Promise<readonly PrintOutcome[]> {
    const run = (materials: readonly StoredMaterial[]) => {
      const cost = materials.reduce((sum, { text }) => sum + costOf(text.length), 0)
      return this.#pool.run('print', { materials, terms }, { user, cost })
    }
    return runBatch(
      texts.map((text): StoredMaterial => ({ text })),
      run,
      this.#tellEnding,
    )
  }

  recompute(what: Recomputation, states: readonly StoredState[]): Promise<readonly RecomputeOutcome[]> {
    const run = (some: readonly StoredState[]) => {
      const cost = some.reduce((sum, { text }) => sum + costOf(text.length), 0)
      return this.#pool.run('recompute', { ...what, states: some }, { user: SERVER, cost })
    }
    return runBatch(states, run, this.#tellEnding)
  }

  takeApart(user: string, file: WholeFile): Promise<FramesOfFile | null> {
    const terms = { user, cost: costOf(file.file.length) }
    return this.#alone(() => {
      const { bytes, handOver } = carriedBytes(file.file)
      return this.#pool.run('takeApart', { ...file, file: bytes }, { ...terms, handOver })
    })
  }

  readBody(user: string, bytes: ClientBytes, fields: BodyFields): Promise<LongFields> {
    const terms = { user, cost: costOf(bytes.length) }
    return this.#alone(() => this.#pool.run('body', { bytes, fields }, terms))
  }

  readForm(user: string, bytes: ClientBytes, type: string): Promise<Form> {
    const cost = FORM_MS_PER_MIB * (bytes.length / MIB)
    return this.#alone(() => {
      const { bytes: own, handOver } = carriedBytes(bytes)
      return this.#pool.run('form', { bytes: own, type }, { user, cost, handOver })
    })
  }

  async pick(user: string, text: string, names: readonly string[]): Promise<JsonObject> {
    if (text.length <= SHORT_TEXT) return pickFields(text, names)
    return this.#alone(() => this.#pool.run('pick', { text, names }, { user, cost: costOf(text.length) }))
  }

  async put(user: string, text: string, fields: JsonObject): Promise<string> {
    if (text.length <= SHORT_TEXT) return putFields(text, fields)
    return this.#alone(() => this.#pool.run('put', { text, fields }, { user, cost: costOf(text.length) }))
  }

  async contribution(
    user: string,
    kind: RecordKind,
    { isPublic, text }: Pick<StoredRecord, 'isPublic' | 'text'>,
  ): Promise<Contribution | null> {
    if (kind.bank === undefined || !isPublic) return null
    if (text.length <= SHORT_TEXT) return contributionOf(kind, isPublic, JSON.parse(text) as JsonObject)
    const { collection } = kind
    return this.#alone(() => this.#pool.run('contribution', { collection, text }, { user, cost: costOf(text.length) }))
  }

  /** Ends the threads; what they were doing is rejected. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  #prepareTask(user: string, drafts: readonly Draft[], terms: DraftTerms): Promise<readonly DraftOutcome[]> {
    const run = (some: readonly Draft[]) => {
      const packed = some.map(packDraft)
      const input = { drafts: packed.map(({ draft }) => draft), terms }
      const handOver = packed.flatMap(({ parts }) => parts)
      const cost = packed.reduce((sum, one) => sum + one.cost, 0)
      return this.#pool.run('prepare', input, { user, cost, handOver })
    }
    return runBatch(drafts, run, this.#tellEnding)
  }

  readonly #tellEnding = (ended: TaskEnded): void => {
    if (ended.ending === 'closed') return
    const event = placeOf(ended)?.stage === 'symmetry' ? STRUCTURE_EVENTS.symmetryFailed : RECORD_EVENTS.recordEnded
    this.#log.tell(event, { reason: ended.message }, ended)
  }

  /** Runs a task that is about one structure: once more without its symmetry when that is what took too long. */
  async #alone<Output>(run: (noSymmetry?: string) => Promise<Output>, noSymmetry?: string): Promise<Output> {
    try {
      return await run(noSymmetry)
    } catch (error) {
      if (!(error instanceof TaskEnded)) throw error
      this.#tellEnding(error)
      const isSymmetry = placeOf(error)?.stage === 'symmetry' && error.ending !== 'closed'
      if (isSymmetry && noSymmetry === undefined) return this.#alone(run, reasonOf(error))
      throw endedRefusal(error)
    }
  }
}
