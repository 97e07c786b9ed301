import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CRUISER = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs')

/** What a run of the arrows gate found. */
export interface CruiseResult {
  readonly exitCode: number
  readonly violations: readonly { readonly rule: string; readonly from: string; readonly to: string }[]
  /** The modules of `src` that were looked at. */
  readonly modules: readonly string[]
}

interface CruiserReport {
  readonly modules: readonly { readonly source: string }[]
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string }
      readonly from: string
      readonly to: string
    }[]
  }
}

/** Runs the gate as `npm run check` does, on the `src` of a directory. */
export async function cruise(directory = ROOT): Promise<CruiseResult> {
  const config = join(ROOT, '.dependency-cruiser.cjs')
  const parameters = [CRUISER, '--config', config, '--output-type', 'json', '--', 'src']
  const [report, errors] = await Promise.all([run(parameters, directory), run(gateParameters(parameters), directory)])
  const { modules, summary } = JSON.parse(report.stdout) as CruiserReport
  return {
    exitCode: errors.exitCode,
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    modules: modules.map((module) => module.source).filter((source) => source.startsWith('src/')),
  }
}

/** The reporter that people read also decides the exit code; the JSON reporter always ends with 0. */
function gateParameters(parameters: readonly string[]): readonly string[] {
  return parameters.map((parameter) => (parameter === 'json' ? 'err' : parameter))
}

/** Makes a project of the given files in a new directory, with this project's compiler settings and packages. */
export function plantProject(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'quarry-arrows-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  for (const shared of ['node_modules', 'tsconfig.json', 'package.json']) {
    symlinkSync(join(ROOT, shared), join(directory, shared))
  }
  return directory
}

function run(parameters: readonly string[], cwd: string): Promise<{ exitCode: number; stdout: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, parameters, { cwd, maxBuffer: 1 << 28 }, (error, stdout) => {
      if (child.exitCode === null) reject(error)
      else resolve({ exitCode: child.exitCode, stdout })
    })
  })
}
