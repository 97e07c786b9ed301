import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const DAY_MS = 86_400_000

/** Backups in one directory that are named by the time at which they were begun: `quarry-2026-01-31T020000Z.db`. */
export class BackupSeries {
  readonly #directory: string
  readonly #name: string

  /** `name` has letters, digits, `.`, `_` and `-` only. */
  constructor(directory: string, name: string) {
    this.#directory = directory
    this.#name = name
  }

  fileAt(now: number): string {
    const stamp = new Date(now).toISOString().replace(/:|\.\d+/g, '')
    return join(this.#directory, `${this.#name}-${stamp}.db`)
  }

  /**
   * Deletes all backups of the series but the newest ones, and parts of backups that were interrupted more than a day ago; tells what
   * was deleted. `latest` was written just now and stays in any case, also when the clock was set back. Nothing is touched that has
   * not a name of the series.
   */
  prune(keep: number, latest: string, now: number): readonly string[] {
    const backups = this.#filesNamed('\\.db').reverse()
    const outdated = backups.filter((file) => file !== latest).slice(Math.max(0, keep - 1))
    const broken = this.#filesNamed('\\.db\\.[0-9a-f-]{36}\\.partial').filter(
      (file) => now - lstatSync(file).mtimeMs > DAY_MS,
    )
    const deleted = [...outdated, ...broken]
    for (const file of deleted) rmSync(file)
    return deleted
  }

  /** Whole paths of files, not of links, in the order of their times. */
  #filesNamed(ending: string): string[] {
    const prefix = this.#name.replaceAll('.', '\\.')
    const pattern = new RegExp(`^${prefix}-\\d{4}-\\d{2}-\\d{2}T\\d{6}Z${ending}$`)
    return readdirSync(this.#directory, { withFileTypes: true })
      .filter((entry) => entry.isFile() && pattern.test(entry.name))
      .map(({ name }) => join(this.#directory, name))
      .sort()
  }
}
