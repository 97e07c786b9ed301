import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Mutant, mutate } from './mutant.ts'

/** What tests do not need, or must not get as their own. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'data'])

/** A copy of the project that can be broken. */
export class ProjectCopy {
  readonly directory: string

  constructor(root: string) {
    this.directory = mkdtempSync(join(tmpdir(), 'quarry-mutants-'))
    for (const name of readdirSync(root)) {
      if (!LEFT_OUT.has(name))
        cpSync(join(root, name), join(this.directory, name), { recursive: true, filter: isCopied })
    }
    symlinkSync(join(root, 'node_modules'), join(this.directory, 'node_modules'), 'dir')
  }

  /** Does something while the mistake is made; null for a mutant that is stale. */
  async broken<Result>(mutant: Mutant, work: () => Promise<Result>): Promise<Result | null> {
    const file = join(this.directory, mutant.file)
    const right = readFileSync(file, 'utf8')
    const wrong = mutate(right, mutant)
    if (wrong === null) return null
    writeFileSync(file, wrong)
    try {
      return await work()
    } finally {
      writeFileSync(file, right)
    }
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}

function isCopied(file: string): boolean {
  return basename(file) !== 'node_modules'
}
