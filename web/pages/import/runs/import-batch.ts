import { signal } from '@preact/signals'
import { Refusal } from '../../../api/client.ts'
import { me } from '../../../app/session-state.ts'
import { noteWrite } from '../../../app/undo.ts'
import { targetAccount } from '../target-account.ts'
import { filesOfNoRun, type RunsAnswer } from './files-of-no-run.ts'
import { knownResults } from './known-results.ts'
import { type ChosenFile, type LeftAside, type Portion, portionsOf, shownPath } from './portions.ts'
import { type RunRow, type SaidRun, withSaid } from './run-row.ts'
import { type AskingTerms, isAboutFiles, SentPortion } from './sent-portion.ts'

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
  /** Folders that were looked at or stored, and all of them. */
  readonly passed = signal(0)
  readonly folders = signal(0)
  readonly rows = signal<readonly RunRow[]>([])
  readonly leftAside = signal<readonly LeftAside[]>([])
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
    this.folders.value = portions.reduce((sum, { folders }) => sum + folders, 0)
    await this.#goOnLooking()
  }

  /** Says whether calculations are to be stored. */
  choose(keys: readonly string[], isChosen: boolean): void {
    const unchosen = new Set(this.unchosen.value)
    for (const key of keys) isChosen ? unchosen.delete(key) : unchosen.add(key)
    this.unchosen.value = unchosen
  }

  /** Stores the calculations that are new and chosen. */
  async store(isPublic: boolean): Promise<void> {
    this.#isPublic = isPublic
    this.#isStoring = true
    await this.#pass('storing', 'done', async (sent, at, signal) => {
      const { all, chosen } = this.#toBeStored(at)
      if (chosen.length === 0) return
      const only = chosen.length === all ? null : chosen
      await this.#ask(sent, at, { ...this.#terms(false, signal), only })
      noteWrite()
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
    await this.#pass('looking', 'ready', async (sent, at, signal) => {
      if (sent.isLookedAt) return
      const terms = this.#terms(true, signal)
      await sent.send(terms)
      // While the server reads these, the next ones are sent; what goes wrong with them is told when it is their turn.
      this.#portions[at + 1]?.send(terms).catch(() => {})
      await this.#ask(sent, at, terms)
      sent.isLookedAt = true
    })
  }

  /** How many calculations of a portion are new, and the jobs of those that are chosen. */
  #toBeStored(portion: number): { readonly all: number; readonly chosen: readonly string[] } {
    const fresh = this.rows.value.filter((row) => row.portion === portion && row.state === 'new')
    const chosen = fresh.filter(({ key }) => !this.unchosen.value.has(key))
    return { all: fresh.length, chosen: chosen.map(({ jobId }) => jobId ?? '') }
  }

  #terms(isDry: boolean, signal: AbortSignal): AskingTerms {
    return {
      isDry,
      signal,
      isPublic: this.#isPublic,
      only: null,
      headers: this.#headers,
      onSent: (bytes) => {
        this.sent.value += bytes
      },
      onLeft: (left) => this.#leave([left]),
    }
  }

  /** Goes through all portions, one after the other. */
  async #pass(
    step: BatchStep,
    end: BatchStep,
    each: (sent: SentPortion, at: number, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.#end = new AbortController()
    const { signal } = this.#end
    this.error.value = null
    this.step.value = step
    this.passed.value = 0
    try {
      for (const [at, sent] of this.#portions.entries()) {
        await each(sent, at, signal)
        this.passed.value += sent.portion.folders
      }
      this.step.value = end
    } catch (error) {
      this.error.value = signal.aborted ? null : error
      this.step.value = signal.aborted ? 'stopped' : 'failed'
    }
  }

  /** Asks about a portion, or has it stored, and shows the answer. What cannot be looked at is no reason not to look at the others. */
  async #ask(sent: SentPortion, at: number, terms: AskingTerms): Promise<void> {
    const { portion } = sent
    const { isDry } = terms
    try {
      const answer = await sent.ask(terms)
      const shown = (name: string) => shownPath(portion, name)
      this.rows.value = withSaid(this.rows.value, answer.calculations, { portion: at, isDry, shown })
      if (isDry) this.#sort(portion, answer)
      if (isDry) await this.#addKnown(at, terms)
    } catch (error) {
      if (!isDry || !(error instanceof Refusal) || !isAboutFiles(error)) throw error
      const { message, code = 0 } = error
      const said = pathsOf(portion).map((file): SaidRun => ({ file, outcome: 'refused', error: { code, message } }))
      this.rows.value = withSaid(this.rows.value, said, { portion: at, isDry, shown: (name) => name })
    }
  }

  /** Adds the results of calculations that are there already, which the server has not read again. */
  async #addKnown(at: number, terms: AskingTerms): Promise<void> {
    const known = await knownResults(
      this.rows.value.filter(({ portion }) => portion === at),
      terms,
    )
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
