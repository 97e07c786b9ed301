import { signal } from '@preact/signals'
import { Refusal, type Sent } from '../../../api/client.ts'
import { me } from '../../../app/session-state.ts'
import { noteWrite } from '../../../app/undo.ts'
import { targetAccount } from '../target-account.ts'
import { beginImport, faultOf, followImport, type ToldImport } from './begun-import.ts'
import { filesOfNoRun, type RunsAnswer } from './files-of-no-run.ts'
import { jobsThere, knownResults, MOST_JOBS } from './known-results.ts'
import type { PortionToStore } from './lines-to-store.ts'
import { type ChosenFile, type LeftAside, type Portion, portionsOf, shownPath } from './portions.ts'
import { type RunRow, type SaidRun, withImported, withSaid } from './run-row.ts'
import { type AskingTerms, isAboutFiles, SentPortion, withTickets } from './sent-portion.ts'

/** Where an import stands: it may ask whether so much is to be sent, and be broken off and gone on with. */
export type BatchStep = 'asking' | 'looking' | 'ready' | 'storing' | 'done' | 'stopped' | 'failed'

/** Bytes above which it is asked before anything is sent. */
const MUCH = 500_000_000
/** Bytes of a file that may be left out then. */
export const LARGE_FILE = 100_000_000

let last = 0

/** Folders, files or archives that were chosen together: sent, looked at, and stored when somebody says so. */
export class ImportBatch {
  readonly key = ++last
  readonly title: string
  /** Who has chosen them: somebody else may log in meanwhile. */
  readonly userId = me.value?.user.entity._id
  /** Of the account into which they come: another one may be chosen meanwhile. */
  readonly accountId: string
  readonly step = signal<BatchStep>('looking')
  readonly error = signal<unknown>(null)
  /** Bytes that have arrived, and those of all files. */
  readonly sent = signal(0)
  readonly bytes = signal(0)
  /** Folders that were looked at, or calculations that are stored, and all of them. */
  readonly passed = signal(0)
  readonly total = signal(0)
  readonly rows = signal<readonly RunRow[]>([])
  readonly leftAside = signal<readonly LeftAside[]>([])
  /** Id of what the server carries out; null where it has nothing to do. */
  readonly importId = signal<string | null>(null)
  /** Keys of calculations that are not to be stored. */
  readonly unchosen = signal<ReadonlySet<string>>(new Set())
  #files: readonly ChosenFile<File>[]
  #portions: readonly SentPortion[] = []
  #end = new AbortController()
  #isPublic = false
  #isStoring = false
  readonly #headers: Readonly<Record<string, string>>
  readonly #onStructures: (files: readonly File[]) => void

  constructor(
    title: string,
    files: readonly ChosenFile<File>[],
    leftAside: readonly LeftAside[],
    onStructures: (files: readonly File[]) => void,
  ) {
    this.accountId = targetAccount()
    this.title = title
    this.leftAside.value = leftAside
    this.#files = files
    this.#headers = this.accountId === '' ? {} : { 'x-account-id': this.accountId }
    this.#onStructures = onStructures
    this.bytes.value = sizeOf(files)
    if (this.bytes.value > MUCH) this.step.value = 'asking'
  }

  get fileCount(): number {
    return this.#files.length
  }

  /** Whether it is, or was when it broke off, about storing. */
  get isStoring(): boolean {
    return this.#isStoring
  }

  /** Files that are large, and may be left out. */
  get largeFiles(): readonly ChosenFile<File>[] {
    return this.#files.filter(({ file }) => file.size > LARGE_FILE)
  }

  /** Sends all files, and looks what is in them. */
  async look({ withoutLarge = false } = {}): Promise<void> {
    if (withoutLarge) {
      this.#leave(this.largeFiles.map(({ path }) => ({ path, why: 'large' })))
      this.#files = this.#files.filter(({ file }) => file.size <= LARGE_FILE)
    }
    const { portions, leftAside } = portionsOf(this.#files)
    this.#leave(leftAside)
    this.#portions = portions.map((portion) => new SentPortion(portion))
    this.bytes.value = portions.reduce((sum, { bytes }) => sum + bytes, 0)
    await this.#goOnLooking()
  }

  /** Says whether calculations are to be stored. */
  choose(keys: readonly string[], isChosen: boolean): void {
    const unchosen = new Set(this.unchosen.value)
    for (const key of keys) isChosen ? unchosen.delete(key) : unchosen.add(key)
    this.unchosen.value = unchosen
  }

  /** Has the calculations stored that are new and chosen: by the server, which goes on also when this page is closed. */
  async store(isPublic: boolean): Promise<void> {
    this.#isPublic = isPublic
    this.#isStoring = true
    await this.#during('storing', async (signal) => {
      const id = this.importId.value ?? (await this.#handOver(this.#terms(signal)))
      this.importId.value = id
      const told = await followImport(id, {
        headers: this.#headers,
        signal,
        onProgress: ({ done, matched }) => {
          this.passed.value = done
          this.total.value = matched
        },
      })
      this.importId.value = null
      await this.#settle(told)
      noteWrite()
      const fault = faultOf(told)
      if (fault !== null) throw fault
      return told.state === 'cancelled' ? 'stopped' : 'done'
    })
  }

  /** Breaks off what is under way; what is stored is stored. */
  cancel(): void {
    this.#end.abort()
  }

  /** Goes on where it was broken off. */
  async goOn(): Promise<void> {
    if (this.#isStoring) await this.store(this.#isPublic)
    else await this.#goOnLooking()
  }

  async #goOnLooking(): Promise<void> {
    await this.#during('looking', async (signal) => {
      this.total.value = this.#portions.reduce((sum, { portion }) => sum + portion.folders, 0)
      for (const [at, sent] of this.#portions.entries()) {
        if (!sent.isLookedAt) await this.#lookAt(sent, at, this.#terms(signal))
        this.passed.value += sent.portion.folders
      }
      return 'ready'
    })
  }

  async #lookAt(sent: SentPortion, at: number, terms: AskingTerms): Promise<void> {
    await sent.send(terms)
    // While the server reads these, the next ones are sent; what goes wrong with them is told when it is their turn.
    this.#portions[at + 1]?.send(terms).catch(() => {})
    await this.#ask(sent, at, terms)
    sent.isLookedAt = true
  }

  /** The jobs of calculations of a portion that are new, and chosen. */
  #chosenOf(portion: number): readonly string[] {
    return this.rows.value.flatMap(({ portion: of, state, key, jobId }) =>
      of === portion && state === 'new' && jobId !== undefined && !this.unchosen.value.has(key) ? [jobId] : [],
    )
  }

  #handOver(terms: AskingTerms): Promise<string> {
    return withTickets(this.#portions, async () => {
      const portions: PortionToStore[] = []
      for (const [at, sent] of this.#portions.entries()) {
        const only = this.#chosenOf(at)
        if (only.length > 0) portions.push({ files: await sent.sent(terms), only, isPublic: this.#isPublic })
      }
      return beginImport(portions, this.#headers)
    })
  }

  /** Shows what has become of the calculations, and what they are now. */
  async #settle({ refusals, state }: ToldImport): Promise<void> {
    const refused = new Map(refusals.map(({ _id, reason, code = 0 }) => [_id, { code, message: reason }]))
    const asked = this.#portions.flatMap((_, at) => this.#chosenOf(at))
    for (let start = 0; start < asked.length; start += MOST_JOBS) {
      const some = asked.slice(start, start + MOST_JOBS)
      const stored = new Set(await jobsThere(some, this.#headers))
      const ended = new Set(state === 'done' ? some : [])
      this.rows.value = withImported(this.rows.value, { stored, refused, ended })
      await this.#addKnown([...stored], {})
    }
  }

  #terms(signal: AbortSignal): AskingTerms {
    return {
      signal,
      headers: this.#headers,
      onSent: (bytes) => {
        this.sent.value += bytes
      },
      onLeft: (left) => this.#leave([left]),
    }
  }

  /** Does something that can be broken off, and gives where the import stands then. */
  async #during(step: BatchStep, work: (signal: AbortSignal) => Promise<BatchStep>): Promise<void> {
    this.#end = new AbortController()
    const { signal } = this.#end
    this.error.value = null
    this.step.value = step
    this.passed.value = 0
    try {
      this.step.value = await work(signal)
    } catch (error) {
      this.error.value = signal.aborted ? null : error
      this.step.value = signal.aborted ? 'stopped' : 'failed'
    }
  }

  /** Asks about a portion, and shows the answer. What cannot be looked at is no reason not to look at the others. */
  async #ask(sent: SentPortion, at: number, terms: AskingTerms): Promise<void> {
    const { portion } = sent
    try {
      const answer = await sent.ask(terms)
      const shown = (name: string) => shownPath(portion, name)
      this.rows.value = withSaid(this.rows.value, answer.calculations, { portion: at, shown })
      this.#sort(portion, answer)
      const there = this.rows.value.filter((row) => row.portion === at && row.state === 'there')
      await this.#addKnown(
        there.flatMap(({ jobId }) => jobId ?? []),
        terms,
      )
    } catch (error) {
      if (!(error instanceof Refusal) || !isAboutFiles(error)) throw error
      const { message, code = 0 } = error
      const said = pathsOf(portion).map((file): SaidRun => ({ file, outcome: 'refused', error: { code, message } }))
      this.rows.value = withSaid(this.rows.value, said, { portion: at, shown: (name) => name })
    }
  }

  /** Adds the results of calculations that are there already, which the server has not read again. */
  async #addKnown(jobIds: readonly string[], terms: Pick<Sent, 'signal'>): Promise<void> {
    const known = await knownResults(jobIds, { ...terms, headers: this.#headers })
    if (known.size > 0) this.rows.value = this.rows.value.map((row) => ({ ...row, ...known.get(row.jobId ?? '') }))
  }

  #sort(portion: Portion, answer: RunsAnswer): void {
    const { structures, leftAside } = filesOfNoRun(portion, answer, new Map(this.#files.map((one) => [one.path, one])))
    this.#leave(leftAside)
    if (structures.length > 0) this.#onStructures(structures)
  }

  #leave(some: readonly LeftAside[]): void {
    if (some.length > 0) this.leftAside.value = [...this.leftAside.value, ...some]
  }
}

function sizeOf(files: readonly ChosenFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0)
}

/** Folders of a portion, or its files where they are in none; of an archive its path. */
function pathsOf({ sendings, isArchive }: Portion): readonly string[] {
  const folders = sendings.map(({ path }) =>
    path.includes('/') && !isArchive ? path.slice(0, path.lastIndexOf('/')) : path,
  )
  return [...new Set(folders)]
}
