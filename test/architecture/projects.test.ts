import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createVitest } from 'vitest/node'
import { EVERYDAY, MORE } from '../../scripts/projects.mjs'
import { APART, DECIDED_BY_THE_STORE } from '../projects.ts'
import { STUDIES, triesOf } from '../support/study.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
// Which part of them runs now is not what is asked.
delete process.env['COVERED']
const vitest = await createVitest('test', { root: ROOT, watch: false, globalSetup: [] })
const specifications = await vitest.globTestSpecifications()
const names = vitest.projects.map(({ name }) => name)
await vitest.close()

const filesOf = (projects: readonly string[]): readonly string[] =>
  specifications
    .filter(({ project }) => projects.includes(project.name))
    .map(({ moduleId }) => moduleId.slice(ROOT.length))

describe('the projects of tests', () => {
  it('are each run by one command', () => {
    expect([...EVERYDAY, ...MORE].sort()).toEqual([...names].sort())
  })

  it('have every file of tests, and `npm test` none of them twice', () => {
    const files = readdirSync(`${ROOT}test`, { recursive: true, encoding: 'utf8' })
    const tests = files.filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file}`)
    const run = new Set(filesOf(names))
    // Without PostgreSQL, one file says that it is not there.
    expect(tests.filter((file) => !run.has(file) && !file.includes('postgres'))).toEqual([])
    const everyday = filesOf(EVERYDAY)
    expect(everyday.filter((file, at) => everyday.indexOf(file) !== at)).toEqual([])
  })

  it('name files that are there', () => {
    const named = [
      ...Object.keys(APART),
      ...Object.keys(DECIDED_BY_THE_STORE).map((name) => `test/http/${name}.test.ts`),
    ]
    expect(named.filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([])
  })

  it('run what asks which store it is on both', () => {
    const asks = /\b(IS_ON_POSTGRES|ANSWERS_AT_ONCE)\b/
    const files = readdirSync(`${ROOT}test/http`).filter((file) => file.endsWith('.test.ts'))
    const asking = files.filter((file) => asks.test(readFileSync(`${ROOT}test/http/${file}`, 'utf8')))
    const decided = Object.keys(DECIDED_BY_THE_STORE).map((name) => `${name}.test.ts`)
    expect(asking.filter((file) => !decided.includes(file))).toEqual([])
  })
})

describe('a study', () => {
  it.each(Object.entries(STUDIES))(
    'of %s is made by its file, and its sample is small',
    (name, { file, sample, full }) => {
      expect(readFileSync(`${ROOT}${file}`, 'utf8')).toContain(`triesOf('${name}')`)
      expect(full).toBeGreaterThanOrEqual(10 * sample)
      expect(triesOf(name as keyof typeof STUDIES)).toBeGreaterThanOrEqual(sample)
    },
  )
})
