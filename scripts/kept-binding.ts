import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const BUILT = join('build', 'Release', 'better_sqlite3.node')

/** A binding of SQLite for one Node.js, among the caches of whoever runs this: to compile one takes a minute. */
export class KeptBinding {
  readonly #kept: string
  readonly #built: string

  /** Of the package in a folder, whose version is a part of its name. */
  constructor(folder: string, node: string) {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
    const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
    const file = `${name}-${version}-node-${node}-${process.platform}-${process.arch}.node`
    this.#kept = join(caches, 'quarry', 'bindings', file)
    this.#built = join(folder, BUILT)
  }

  /** Puts it into its place; false where none is kept. */
  take(): boolean {
    if (!existsSync(this.#kept)) return false
    mkdirSync(dirname(this.#built), { recursive: true })
    copyFileSync(this.#kept, this.#built)
    return true
  }

  /** Keeps what was compiled, whole or not at all. */
  keep(): void {
    mkdirSync(dirname(this.#kept), { recursive: true })
    const unfinished = `${this.#kept}.${process.pid}`
    copyFileSync(this.#built, unfinished)
    renameSync(unfinished, this.#kept)
  }
}
