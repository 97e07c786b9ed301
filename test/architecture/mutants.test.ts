import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MUTANTS } from '../../scripts/mutants/all-mutants.ts'
import { mutate } from '../../scripts/mutants/mutant.ts'

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
