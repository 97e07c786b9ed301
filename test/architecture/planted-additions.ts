import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { type Addition, type Edit, named, type Place } from '../../scripts/additions/addition.ts'
import { type FailedTest, TestRunner } from '../../scripts/mutants/run-tests.ts'
import { ProjectCopy } from '../../scripts/project-copy.ts'

/** An example of an addition, whole or without one of its places. */
export interface Planted {
  readonly addition: Addition
  readonly without: Place | null
  /** Small letters that nothing else in the project has. */
  readonly letters: string
  readonly digits: string
}

const A = 'a'.charCodeAt(0)

/** Makes every example of the additions: whole ones, and one without each place. */
export function plantAll(additions: readonly Addition[]): readonly Planted[] {
  const planted = additions.flatMap((addition) =>
    [null, ...addition.places].map((without, index) => ({ addition, without, digits: String(99 - index) })),
  )
  return planted.map((one, index) => {
    const letters = String.fromCharCode(A + Math.floor(index / 26), A + (index % 26))
    return { ...one, letters: `plant${letters}` }
  })
}

/** Fills in the names of an example. */
export const filledIn = (text: string, { letters, digits }: Planted): string => named(text, letters, digits)

/** What an example changes; `npm run docs` does the rest. */
function editsOf(planted: Planted): readonly Edit[] {
  const places = planted.addition.places.filter((place) => place !== planted.without)
  return places
    .flatMap(({ example }) => (example === 'generated' ? [] : example))
    .map(({ file, after, put }) => ({
      file: filledIn(file, planted),
      put: filledIn(put, planted),
      ...(after === undefined ? {} : { after }),
    }))
}

/** Makes the changes of examples in texts that `read` gives; it gives null for a file that is not there. */
function applied(planted: readonly Planted[], read: (file: string) => string | null): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const { file, after, put } of planted.flatMap(editsOf)) {
    const text = texts.get(file) ?? read(file) ?? ''
    const at = after === undefined ? text.length : text.indexOf(after) + after.length
    if (after !== undefined && (text.indexOf(after) < 0 || text.indexOf(after, at) >= 0)) {
      throw new Error(
        `${file} has no longer, or not once, what an example of scripts/additions stands behind: ${after}`,
      )
    }
    texts.set(file, text.slice(0, at) + put + text.slice(at))
  }
  return texts
}

/** The faults of types that files have once examples are planted; nothing is written. */
export class PlantedTypes {
  readonly #root: string
  readonly #options: ts.CompilerOptions
  /** Of files as they stand: they are parsed once. */
  readonly #sources = new Map<string, ts.SourceFile | undefined>()

  constructor(root: string) {
    this.#root = root
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
    this.#options = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root).options
  }

  /** By file. Without `files`, of every file that is changed. */
  faults(
    planted: readonly Planted[],
    files?: readonly string[],
  ): readonly { readonly file: string; readonly says: string }[] {
    const texts = new Map(
      [...applied(planted, (file) => readIfThere(join(this.#root, file)))].map(([file, text]) => [
        join(this.#root, file),
        text,
      ]),
    )
    const looked = (files?.map((file) => join(this.#root, file)) ?? [...texts.keys()]).filter((file) =>
      file.endsWith('.ts'),
    )
    const host = ts.createCompilerHost(this.#options)
    const { readFile, fileExists, getSourceFile } = host
    host.readFile = (file) => texts.get(file) ?? readFile(file)
    host.fileExists = (file) => texts.has(file) || fileExists(file)
    host.getSourceFile = (file, version, onError) => {
      const text = texts.get(file)
      if (text !== undefined) return ts.createSourceFile(file, text, version)
      if (!this.#sources.has(file)) this.#sources.set(file, getSourceFile(file, version, onError))
      return this.#sources.get(file)
    }
    const program = ts.createProgram(looked, this.#options, host)
    return looked.flatMap((file) => {
      const source = program.getSourceFile(file)
      return program.getSemanticDiagnostics(source).map(({ messageText }) => ({
        file: file.slice(this.#root.length),
        says: ts.flattenDiagnosticMessageText(messageText, '\n'),
      }))
    })
  }
}

/** A copy of the project in which examples are planted. */
export class PlantedProject {
  readonly #copy: ProjectCopy

  constructor(root: string) {
    this.#copy = new ProjectCopy(root)
  }

  plant(planted: readonly Planted[]): void {
    const place = (file: string) => join(this.#copy.directory, file)
    for (const [file, text] of applied(planted, (file) => readIfThere(place(file)))) {
      mkdirSync(dirname(place(file)), { recursive: true })
      writeFileSync(place(file), text)
    }
  }

  /** `npm run docs`. */
  async writeDocs(): Promise<void> {
    await this.#run(join('tsx', 'dist', 'cli.mjs'), join('scripts', 'docs.ts'))
  }

  /** What the gate for dead code says. */
  deadCode(): Promise<string> {
    return this.#run(join('knip', 'bin', 'knip.js'), '--no-progress')
  }

  failures(tests: readonly string[], named: string): Promise<readonly FailedTest[]> {
    return new TestRunner(this.#copy.directory, 240_000).failures(tests, named)
  }

  remove(): void {
    this.#copy.remove()
  }

  #run(tool: string, ...parameters: readonly string[]): Promise<string> {
    const cwd = this.#copy.directory
    return new Promise((resolve) => {
      execFile(process.execPath, [join('node_modules', tool), ...parameters], { cwd }, (_failed, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
  }
}

function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
