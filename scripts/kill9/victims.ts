import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { filesFolder } from '../../src/app/open-services.ts'
import { collectFiles } from '../../src/records/use-cases/collect-files.ts'
import { DirectoryFiles } from '../../src/store/files/directory-files.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { type ServerProcess, startServer } from '../../test/cli/server-process.ts'
import { newDataDirectory } from '../../test/support/cli.ts'
import type { Random } from '../fuzz/random.ts'
import { dyingBy } from './dying.ts'

/** Where a process is to die: before one of so many statements, or calls for files, that are made within a source. */
export interface Place {
  readonly within: string
  readonly most: number
}

/** Of a kill from outside, and of one from inside that does not come, in milliseconds. */
const MOST_WAIT_MS = 2_000
const LONGEST_MS = 20_000

/** A data directory whose processes are killed, and started again. */
export class Victims {
  readonly data: string
  readonly remove: () => void
  readonly #random: Random
  /** How many have died where they were told to. */
  died = 0

  constructor(random: Random) {
    const { data, remove } = newDataDirectory()
    this.data = data
    this.remove = remove
    this.#random = random
  }

  get #order(): string {
    return `${this.data}-order`
  }

  /** Of a process that is to die where it is told to. */
  get environment(): Readonly<Record<string, string>> {
    return { QUARRY_SYMMETRY: 'off', ...dyingBy(this.#order) }
  }

  start(): Promise<ServerProcess> {
    return startServer(this.data, ['--no-samples'], { environment: this.environment })
  }

  tellWhereToDie({ within, most }: Place): void {
    writeFileSync(this.#order, JSON.stringify({ within, at: 1 + this.#random.integer(most), further: 0 }))
  }

  /** Counts a process that has died where it was told to, and tells no other one to. */
  countDead(): void {
    if (existsSync(`${this.#order}.died`)) this.died += 1
    for (const one of [this.#order, `${this.#order}.died`]) rmSync(one, { force: true })
  }

  /** Kills a server that serves clients at a moment that is chosen: within what it does, or from outside some time later. */
  async kill(server: ServerProcess, served: Promise<unknown> | null, place: Place): Promise<void> {
    const isFromOutside = this.#random.chance(0.3)
    if (!isFromOutside) this.tellWhereToDie(place)
    const longest = isFromOutside ? this.#random.integer(MOST_WAIT_MS) : LONGEST_MS
    await Promise.race([...(served === null ? [] : [served]), server.ended, delay(longest, undefined, { ref: false })])
    await server.stop('SIGKILL')
    await served?.catch((error) => {
      throw new Error(`${error}\n${server.stderr()}`)
    })
    this.countDead()
  }

  /** Removes contents and uploads that nothing names, however new they are; gives those that are left, and those of them that are named. */
  async collect(): Promise<{ readonly left: readonly string[]; readonly named: readonly string[] }> {
    const folder = filesFolder({ data: this.data })
    const files = new DirectoryFiles(folder)
    const store = await openSqliteStore({ dataDirectory: this.data, tends: false })
    const deps = { files, store: store.records }
    try {
      await collectFiles(deps, { graceMs: 0, mayRemove: async () => true, pause: async () => {} })
      const left = namesIn(folder)
      return { left, named: [...(await store.records.namedFiles(left))].sort() }
    } finally {
      await files.close()
      await store.close()
    }
  }

  /** As a minute later: what a killed process had its turn at is looked at again. */
  async forgetTurn(mark: string): Promise<void> {
    const store = await openSqliteStore({ dataDirectory: this.data, tends: false })
    await store.writeMark(mark, '')
    await store.close()
  }
}

function namesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()
}
