import { signal } from '@preact/signals'
import { ask, Refusal } from '../../../api/client.ts'
import { chosenAccount, me } from '../../../app/session-state.ts'
import { noteWrite } from '../../../app/undo.ts'
import { filesOfNoRun, type RunsAnswer } from './files-of-no-run.ts'
import { type ChosenFile, type LeftAside, type Portion, portionsOf, type Sending, shownPath } from './portions.ts'
import { type RunRow, type SaidRun, withSaid } from './run-row.ts'
import { isPassing, sendFile, UnreadableFile } from './send-file.ts'

/** Where an import stands: it may ask whether so much is to be sent, and be broken off and gone on with. */
export type BatchStep = 'asking' | 'looking' | 'ready' | 'storing' | 'done' | 'stopped' | 'failed'

/** A portion on its way. */
interface PortionState {
  readonly portion: Portion
  readonly tickets: Map<Sending, string>
  isLookedAt: boolean
  isStored: boolean
}

/** Files that are sent at a time. */
const AT_ONCE = 4
/** Bytes above which it is asked before anything is sent. */
const MUCH = 500 * 1024 * 1024
/** Bytes of a file that may be left out then. */
export const LARGE_FILE = 100 * 1024 * 1024
/** The ticket of a file holds no longer, or is of another account. */
const NO_TICKET = 40320

let last = 0

/** Folders, files or archives that were chosen together: sent, looked at, and stored when somebody says so. */
export class ImportBatch {
  readonly key = ++last
  readonly title: string
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
  #files: readonly ChosenFile<File>[]
  #portions: readonly PortionState[] = []
  #end = new AbortController()
  #isPublic = false
  #isStoring = false
  /** Of the account that was chosen when it began: another one may be chosen meanwhile. */
  readonly #headers: Readonly<Record<string, string>>
  readonly #onStructures: (files: readonly File[]) => void

  constructor(
    title: string,
    files: readonly ChosenFile<File>[],
    leftAside: readonly LeftAside[],
    onStructures: (files: readonly File[]) => void,
  ) {
    const account = chosenAccount.value ?? me.value?.user.entity.defaultAccountId
    this.title = title
    this.leftAside.value = leftAside
    this.#files = files
    this.#headers = account === undefined ? {} : { 'x-account-id': account }
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
    this.#portions = portions.map((portion) => ({
      portion,
      tickets: new Map<Sending, string>(),
      isLookedAt: false,
      isStored: false,
    }))
    this.bytes.value = portions.reduce((sum, { bytes }) => sum + bytes, 0)
    this.folders.value = portions.reduce((sum, { folders }) => sum + folders, 0)
    await this.#goOnLooking()
  }

  /** Stores the calculations that are new. */
  async store(isPublic: boolean): Promise<void> {
    this.#isPublic = isPublic
    this.#isStoring = true
    await this.#pass('storing', 'done', async (state, at, signal) => {
      if (state.isStored || !this.rows.value.some((row) => row.portion === at && row.state === 'new')) return
      await this.#ask(state, at, { isDry: false, signal })
      state.isStored = true
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
    await this.#pass('looking', 'ready', async (state, at, signal) => {
      if (state.isLookedAt) return
      await this.#ask(state, at, { isDry: true, signal })
      state.isLookedAt = true
    })
  }

  /** Goes through all portions, one after the other. */
  async #pass(
    step: BatchStep,
    end: BatchStep,
    each: (state: PortionState, at: number, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    this.#end = new AbortController()
    const { signal } = this.#end
    this.error.value = null
    this.step.value = step
    this.passed.value = 0
    try {
      for (const [at, state] of this.#portions.entries()) {
        await each(state, at, signal)
        this.passed.value += state.portion.folders
      }
      this.step.value = end
    } catch (error) {
      this.error.value = signal.aborted ? null : error
      this.step.value = signal.aborted ? 'stopped' : 'failed'
    }
  }

  /** Asks about a portion, or has it stored, and shows the answer. A refusal is of its folders alone. */
  async #ask(
    state: PortionState,
    at: number,
    { isDry, signal }: { readonly isDry: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    try {
      await this.#send(state, signal)
      const data = await this.#answer(state, isDry, signal)
      const shown = (name: string) => shownPath(state.portion, name)
      this.rows.value = withSaid(this.rows.value, data.calculations, { portion: at, isDry, shown })
      if (isDry) this.#sort(state.portion, data)
    } catch (error) {
      if (!(error instanceof Refusal) || !isAboutFiles(error)) throw error
      const { message, code = 0 } = error
      const said = pathsOf(state.portion).map(
        (file): SaidRun => ({ file, outcome: 'refused', error: { code, message } }),
      )
      this.rows.value = withSaid(this.rows.value, said, { portion: at, isDry, shown: (name) => name })
    }
  }

  async #answer(state: PortionState, isDry: boolean, signal: AbortSignal): Promise<RunsAnswer> {
    const request = async () => {
      const files = [...state.tickets].map(([{ name }, ticket]) => ({ name, ticket }))
      if (files.length === 0) return NOTHING
      const body = { files, dryRun: isDry, isPublic: this.#isPublic }
      return (await ask<RunsAnswer>('POST', '/jobs/import', { body, headers: this.#headers, signal })).data
    }
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== NO_TICKET) throw error
      state.tickets.clear()
      await this.#send(state, signal)
      return request()
    }
  }

  /** Sends the files of a portion that have no ticket yet. */
  async #send({ portion, tickets }: PortionState, signal: AbortSignal): Promise<void> {
    const left = portion.sendings.filter((one) => !tickets.has(one))
    const onSent = (bytes: number) => {
      this.sent.value += bytes
    }
    const send = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        try {
          tickets.set(one, await sendFile(one, { signal, headers: this.#headers, onSent }))
        } catch (error) {
          const why = reasonOf(error)
          if (why === null) throw error
          this.#leave([{ path: one.path, why }])
        }
      }
    }
    const results = await Promise.allSettled(Array.from({ length: AT_ONCE }, send))
    for (const result of results) if (result.status === 'rejected') throw result.reason
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

const NOTHING: RunsAnswer = { calculations: [], unused: [], structures: [], licensed: [] }

function sizeOf(files: readonly ChosenFile[]): number {
  return files.reduce((sum, { file }) => sum + file.size, 0)
}

/** Why a file cannot be sent at all; null where it is not about the file. */
function reasonOf(error: unknown): LeftAside['why'] | null {
  if (error instanceof UnreadableFile) return 'unreadable'
  return error instanceof Refusal && isAboutFiles(error) ? { says: error.message } : null
}

/** Whether a refusal is about what was sent; else it is about who sends it, or about the server. */
function isAboutFiles(error: Refusal): boolean {
  return error.status >= 400 && error.status < 500 && ![401, 403].includes(error.status) && !isPassing(error)
}

/** Folders of a portion, or its files where they are in none. */
function pathsOf({ sendings }: Portion): readonly string[] {
  const folders = sendings.map(({ path }) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path))
  return [...new Set(folders)]
}
