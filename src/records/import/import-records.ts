import { assertMayWrite, type Session } from '../../accounts/session.ts'
import { type AppError, packError } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import { newId } from '../../kernel/names.ts'
import { named } from '../ids.ts'
import { materialKind } from '../kinds/material/material-kind.ts'
import type { RecordKind } from '../record-kind.ts'
import type { RecordDeps } from '../work/deps.ts'
import type { BuildOutcome, BuildTerms, RecordInput } from '../work/record-input.ts'
import { buildRecords } from '../work/record-threads.ts'
import { framesOfFiles } from './frames-of-files.ts'
import { pickedOfStreams } from './frames-of-streams.ts'
import { type ImportItem, type ImportReport, nameOf } from './import-item.ts'
import { type KeyTerms, storeByKey } from './keyed-records.ts'
import { type PreparedItem, type Settling, type StoredBatch, storeEach } from './store-each.ts'

/** Records that are prepared and given to the store together. */
const BATCH_RECORDS = 200
const BATCH_BYTES = 1024 * 1024

/** The more records wait for the store, the more it writes in one go, and the less it writes for each. */
const BATCHES_AT_A_TIME = 20

/** Most batches on their way to the disk; one, when each has to be compared with what came before. */
export function batchesAtATime({
  onDuplicate = 'create',
  skipSame = false,
  key,
}: Settling & Pick<ImportOptions, 'key'>): number {
  return onDuplicate === 'create' && !skipSame && key === undefined ? BATCHES_AT_A_TIME : 1
}

/** Gathers items into batches that are worth a transaction and bounded in memory. A source that fails does so after what came before. */
export async function* batchesOf<Item>(
  items: AsyncIterable<Item>,
  bytesOf: (item: Item) => number,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = []
  let bytes = 0
  try {
    for await (const item of items) {
      batch.push(item)
      bytes += bytesOf(item)
      if (batch.length < BATCH_RECORDS && bytes < BATCH_BYTES) continue
      yield batch
      batch = []
      bytes = 0
    }
  } catch (error) {
    if (batch.length > 0) yield batch
    throw error
  }
  if (batch.length > 0) yield batch
}

/** Works on things whose weights are not `most` together yet; results come in their order, a failure of the source last. What is under way then ends by itself. */
export async function* overlapped<Input, Output>(
  source: AsyncIterable<Input>,
  most: number,
  work: (input: Input) => Promise<Output>,
  weightOf: (input: Input) => number = () => 1,
): AsyncGenerator<Output> {
  const inputs = source[Symbol.asyncIterator]()
  const underWay: Promise<Output>[] = []
  const weights: number[] = []
  let coming: Promise<IteratorResult<Input>> | null = null
  let isOver = false
  try {
    for (;;) {
      if (coming === null && !isOver && weights.reduce(add, 0) < most) coming = quiet(inputs.next())
      const [oldest] = underWay
      if (oldest === undefined && coming === null) return
      const isReady = await firstOf(oldest, coming)
      if (isReady === 'output') {
        const output = await (underWay.shift() as Promise<Output>)
        weights.shift()
        yield output
      } else {
        const input: Input | typeof NO_MORE = await nextOf(coming as Promise<IteratorResult<Input>>, (failed) => {
          underWay.push(quiet(failed))
          weights.push(1)
        })
        coming = null
        if (input === NO_MORE) isOver = true
        else {
          weights.push(weightOf(input))
          underWay.push(quiet(work(input)))
        }
      }
    }
  } finally {
    await inputs.return?.()
  }
}

function add(one: number, other: number): number {
  return one + other
}

const NO_MORE = Symbol('no more')

/** Gives the next input; a source that fails ends, and its failure comes last. */
async function nextOf<Input>(
  coming: Promise<IteratorResult<Input>>,
  failLast: (failed: Promise<never>) => void,
): Promise<Input | typeof NO_MORE> {
  try {
    const input = await coming
    return input.done === true ? NO_MORE : input.value
  } catch (error) {
    failLast(Promise.reject(error))
    return NO_MORE
  }
}

const isInput = (): 'input' => 'input'

/** Says which of the two is there first; the output when both are. */
function firstOf(output: Promise<unknown> | undefined, input: Promise<unknown> | null): Promise<'output' | 'input'> {
  const tellings = [
    ...(output === undefined ? [] : [output.then(() => 'output' as const)]),
    ...(input === null ? [] : [input.then(isInput, isInput)]),
  ]
  return Promise.race(tellings)
}

/** A failure counts when its turn has come, not as one that nobody handles. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

/** Options for all things of an import. */
export interface ImportOptions extends Settling {
  /** Without it, the kind of each record is told by its fields; structure files are materials. */
  readonly kind?: RecordKind
  /** By what records of the account are told to be those that are sent. */
  readonly key?: KeyTerms
  /** Whether all ids stay that records bring, as an operator may want; else only those that were given out for the account, or by nobody here. */
  readonly keepsIds?: boolean
  /** Without it, a record is public when it says so. */
  readonly isPublic?: boolean
  /** In place of those that a record has itself. */
  readonly tags?: readonly string[]
  /** The format of all structure files; without it each is told by name and content. */
  readonly format?: string
  /** Structure to take of every file, or `all` as a set; the first when left out. */
  readonly frame?: number | 'all'
  /** With `all`: most structures that all files of several structures may hold together. */
  readonly mostFrames?: number
}

/** Batches that are made built at a time: while one is gathered, the threads have another. */
const BATCHES_IN_PREPARATION = 2

/**
 * Stores records and structure files in the session's account and reports on each, in their order. What the account has already is
 * skipped, so an import that broke off is simply run again. Nothing waits without bound: what comes in waits for the threads that make
 * records, and they for the disk. Throws on what concerns all: a store that takes no more, a source that cannot be read on. By then
 * everything that is stored has been reported.
 */
export async function* importRecords(
  deps: RecordDeps,
  session: Session,
  items: AsyncIterable<ImportItem>,
  options: ImportOptions = {},
): AsyncGenerator<ImportReport> {
  assertMayWrite(session)
  const prepare = (batch: readonly ImportItem[]) => prepareBatch(deps, session, batch, options)
  let stop: AppError | null = null
  const store = async (batch: readonly PreparedItem[]): Promise<StoredBatch> => {
    const stored =
      options.key === undefined
        ? await storeEach(deps, session, batch, options)
        : await storeByKey(
            { deps, session, settling: { ...options, overrides: overridesOf(options) }, terms: options.key },
            batch,
          )
    stop ??= stored.stop
    return stored
  }
  const { format, frame } = options
  const single =
    frame === 'all' ? framesOfFiles(deps, session, items, options) : pickedOfStreams(items, { format, frame })
  const prepared = overlapped(batchesOf(single, bytesOf), BATCHES_IN_PREPARATION, prepare)
  const batches = takenUntil(prepared, () => stop !== null)
  for await (const { reports } of overlapped(batches, batchesAtATime(options), store, weightOf)) yield* reports
  if (stop !== null) throw stop
}

/** Records that were made are longer than what they were made of: a batch of long ones counts for several. */
function weightOf(batch: readonly PreparedItem[]): number {
  const lengths = batch.map(({ outcome }) => ('built' in outcome ? outcome.built.text.length : 0))
  return Math.max(1, (2 * lengths.reduce(add, 0)) / BATCH_BYTES)
}

/** Ends a source early: what has been taken from it goes its way. */
async function* takenUntil<Item>(source: AsyncIterable<Item>, isOver: () => boolean): AsyncGenerator<Item> {
  for await (const item of source) {
    if (isOver()) return
    yield item
  }
}

async function prepareBatch(
  deps: RecordDeps,
  session: Session,
  batch: readonly ImportItem[],
  options: ImportOptions,
): Promise<readonly PreparedItem[]> {
  const inputs = batch.flatMap((item) => inputOf(deps, item, options) ?? [])
  const build = (some: readonly RecordInput[]) =>
    buildRecords(deps.work, session.user.id, some, termsOf(deps, session, options))
  const outcomes = [...(await withOwnIds(deps, session, { inputs, outcomes: await build(inputs), build }))]
  return batch.map((item) => ({
    place: item.place,
    outcome: settled(item) ?? (outcomes.shift() as BuildOutcome),
    ...('json' in item ? { json: item.json } : {}),
  }))
}

interface BuiltInputs {
  readonly inputs: readonly RecordInput[]
  readonly outcomes: readonly BuildOutcome[]
  readonly build: (inputs: readonly RecordInput[]) => Promise<readonly BuildOutcome[]>
}

/** Builds records again whose ids, or those of their sets, were replaced though the account has given them out. */
async function withOwnIds(
  deps: RecordDeps,
  session: Session,
  { inputs, outcomes, build }: BuiltInputs,
): Promise<readonly BuildOutcome[]> {
  const replaced = outcomes.map((outcome) => ('built' in outcome ? outcome.built : null))
  const own = new Set<string>()
  for (const collection of new Set(replaced.flatMap((built) => built?.collection ?? []))) {
    const ids = new Set(replaced.flatMap((built) => (built?.collection === collection ? built.replacedIds : [])))
    const known = await Promise.all(
      Array.from(ids, async (id) => ((await isOwn(deps, session, collection, id)) ? [id] : [])),
    )
    for (const id of known.flat()) own.add(id)
  }
  const isHers = (index: number) => replaced[index]?.replacedIds.some((id) => own.has(id)) === true
  const again = await build(inputs.flatMap((input, index) => (isHers(index) ? [{ ...input, ownIds: [...own] }] : [])))
  let next = 0
  return outcomes.map((outcome, index) => (isHers(index) ? (again[next++] ?? outcome) : outcome))
}

/** Tells whether the session's account has a record of an id, or had one that it removed. */
async function isOwn(
  { store }: RecordDeps,
  { account, scope }: Session,
  collection: string,
  id: string,
): Promise<boolean> {
  const present = await store.read(collection, scope, id)
  return present?.accountId === account.id || (await store.readRemoved(collection, scope, id)) !== null
}

function inputOf({ random }: RecordDeps, item: ImportItem, { onDuplicate }: ImportOptions): RecordInput | null {
  if ('json' in item) return { source: { json: item.json } }
  if ('document' in item) return { source: { document: item.document }, id: item.id }
  if (!('file' in item)) return null
  const { place, file, part, taken, fields, id = onDuplicate === 'create' ? newId(random) : undefined } = item
  return {
    source: { file, fileName: nameOf(place), part, taken },
    ...(fields === undefined ? {} : { fields }),
    // Else its id follows from the file, so that it is stored once.
    ...(id === undefined ? {} : { id }),
  }
}

/** The outcome of what is not built. */
function settled(item: ImportItem): PreparedItem['outcome'] | null {
  if ('present' in item) return item
  return 'refusal' in item ? { refusal: packError(item.refusal) } : null
}

function bytesOf(item: ImportItem): number {
  if ('json' in item) return item.json.length
  return 'file' in item ? item.file.length : 0
}

function overridesOf({ isPublic, tags }: ImportOptions): Record<string, Json> {
  return { ...(isPublic === undefined ? {} : { isPublic }), ...(tags === undefined ? {} : { tags }) }
}

function termsOf(deps: RecordDeps, session: Session, options: ImportOptions): BuildTerms {
  const { format, frame, key } = options
  // The set of a file does not tell of what it is.
  const kind = options.kind ?? (frame === 'all' ? materialKind : undefined)
  return {
    purpose: 'import',
    keepsIds: options.keepsIds === true,
    account: named(session.account),
    user: named(session.user),
    now: deps.clock(),
    overrides: overridesOf(options),
    ...(key === undefined ? {} : { key: key.paths }),
    ...(kind === undefined ? {} : { collection: kind.collection }),
    ...(format === undefined ? {} : { format }),
    ...(frame === undefined || frame === 'all' ? {} : { frame }),
  }
}
