import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf, parseSource } from '../house/source-tree.ts'
import type { Mutant } from './mutant.ts'

/** What differs between a commit and the files that are there. Paths begin at the root of the project. */
export interface SourceChange {
  readonly files: ReadonlySet<string>
  /** What the changed files import. */
  readonly imported: ReadonlySet<string>
  /** What was added to the lists of mutants. */
  readonly listed: string
}

/** The mutants that a change may have brought to life: of its files and of those that they import, those whose tests it touches, and those that it adds. */
export function mutantsNear(mutants: readonly Mutant[], { files, imported, listed }: SourceChange): readonly Mutant[] {
  return mutants.filter(
    ({ name, file, tests }) =>
      files.has(file) || imported.has(file) || tests.some((test) => files.has(test)) || listed.includes(`'${name}'`),
  )
}

const LISTS = 'scripts/mutants'

/**
 * Reads what has changed since a commit, with what is not committed. Where none is named, it is the last one that the branch shares with the branch that it
 * follows; where it follows none, the one before the last.
 */
export function readChange(root: string, named: string | undefined): SourceChange {
  const git = (...parameters: readonly string[]): string =>
    execFileSync('git', parameters, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 28,
    })
  const branches = git('for-each-ref', '--format=%(HEAD)%(upstream:short)', 'refs/heads').split('\n')
  const follows = branches.find((branch) => branch.startsWith('*'))?.slice(1) ?? ''
  const since = git('merge-base', 'HEAD', named ?? (follows === '' ? 'HEAD~1' : follows)).trim()
  const listing = git('diff', '--name-only', since) + git('ls-files', '--others', '--exclude-standard')
  const files = new Set(listing.split('\n').filter((line) => line !== ''))
  const added = git('diff', '--unified=0', since, '--', LISTS).split('\n')
  return {
    files,
    imported: new Set([...files].flatMap((file) => importedBy(root, file))),
    listed: added.filter((line) => line.startsWith('+')).join('\n'),
  }
}

function importedBy(root: string, file: string): readonly string[] {
  const place = join(root, file)
  if (!/\.tsx?$/.test(file) || !existsSync(place)) return []
  return importsOf(file, parseSource(file, readFileSync(place, 'utf8'))).map((one) => one.file)
}
