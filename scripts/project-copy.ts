import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** What tests do not need, or must not get as their own. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', 'test-results'])
/** Of what begins with a dot, what packages need; the rest is what tools have put there for a moment. */
const DOTTED = new Set(['.bin', '.package-lock.json'])

/** A copy of the project in a temporary folder: it can be broken, and built for another Node.js. Its packages are those of the project. */
export class ProjectCopy {
  readonly directory: string

  /** Of some packages, by their names, it gets copies that it can change. */
  constructor(root: string, ownPackages: readonly string[] = []) {
    this.directory = mkdtempSync(join(tmpdir(), 'quarry-copy-'))
    // Some tests run its commands as somebody else.
    chmodSync(this.directory, 0o755)
    for (const name of readdirSync(root)) {
      if (!LEFT_OUT.has(name))
        cpSync(join(root, name), join(this.directory, name), { recursive: true, filter: isCopied })
    }
    const [theirs, own] = [join(root, 'node_modules'), join(this.directory, 'node_modules')]
    mkdirSync(own)
    for (const name of readdirSync(theirs)) {
      if (ownPackages.includes(name)) cpSync(join(theirs, name), join(own, name), { recursive: true })
      else if (!name.startsWith('.') || DOTTED.has(name)) symlinkSync(join(theirs, name), join(own, name))
    }
  }

  read(file: string): string {
    return readFileSync(join(this.directory, file), 'utf8')
  }

  /** Does something while a file has another text. */
  async changed<Result>(file: string, text: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.read(file)
    writeFileSync(join(this.directory, file), text)
    try {
      return await work()
    } finally {
      writeFileSync(join(this.directory, file), before)
    }
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}

function isCopied(file: string): boolean {
  return basename(file) !== 'node_modules'
}
