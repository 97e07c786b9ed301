import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MUTANTS } from '../../scripts/mutants/all-mutants.ts'
import { mutate } from '../../scripts/mutants/mutant.ts'
import { mutantsNear, readChange } from '../../scripts/mutants/near-change.ts'

const fromRoot = (path: string) => new URL(`../../${path}`, import.meta.url)

describe('a mutant (`npm run mutants`)', () => {
  it.each(MUTANTS)('changes what stands in its file once, and has tests: $name', (mutant) => {
    expect(mutate(readFileSync(fromRoot(mutant.file), 'utf8'), mutant)).not.toBeNull()
    expect(mutant.tests.filter((path) => !existsSync(fromRoot(path)))).toEqual([])
    expect(mutant.tests).not.toEqual([])
  })

  it('has a name of its own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  })

  it('is stale where its text is not there, is there twice, or stays as it is', () => {
    const mutant = { name: 'm', file: 'f', find: 'ab', replace: 'ba', tests: [] }
    expect(mutate('xaby', mutant)).toBe('xbay')
    for (const text of ['xy', 'abab']) expect(mutate(text, mutant)).toBeNull()
    expect(mutate('xaby', { ...mutant, replace: 'ab' })).toBeNull()
  })
})

describe('the mutants near a change (`npm run mutants -- --changed`)', () => {
  const MADE = ['of a file', 'of an imported one', 'of a test', 'of a list', 'of another'].map((name) => ({
    name,
    file: `src/${name.split(' ').at(-1)}.ts`,
    find: 'a',
    replace: 'b',
    tests: [`test/${name.split(' ').at(-1)}.test.ts`],
  }))

  let root: string
  const git = (...parameters: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...parameters], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const commit = (message: string) => {
    git('add', '--all')
    git('commit', '--quiet', '--message', message)
  }
  const near = (named?: string) => mutantsNear(MADE, readChange(root, named)).map(({ name }) => name)

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'quarry-change-'))
    git('init', '--quiet', '--initial-branch', 'main')
    write('src/file.ts', '')
    write('test/test.test.ts', '')
    commit('first')
    git('branch', 'before')
    write('src/file.ts', 'export {}\n')
    commit('second')
    write('test/test.test.ts', '// changed\n')
    commit('third')
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('are those of the last commit, or since the one that is named', () => {
    expect(near()).toEqual(['of a test'])
    expect(near('before')).toEqual(['of a file', 'of a test'])
    expect(near('HEAD')).toEqual([])
  })

  it('are those since the branch that this one follows, where it follows one', () => {
    git('branch', '--quiet', '--set-upstream-to', 'before')
    expect(near()).toEqual(['of a file', 'of a test'])
    git('branch', '--quiet', '--unset-upstream')
  })

  it('are those of what is not committed: of files that a new one imports, and those that a list gets', () => {
    write('src/new.ts', "import { one } from './one.ts'\n")
    expect(near('HEAD')).toEqual(['of an imported one'])
    write('scripts/mutants/in-part.ts', '')
    commit('fourth')
    write('scripts/mutants/in-part.ts', "  name: 'of a list',\n")
    expect(near('HEAD')).toEqual(['of a list'])
  })
})
