import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { declaredIn } from '../../scripts/docs/declared-in.ts'
import { SETTING_NAMES } from '../../src/app/settings.ts'
import type { ErrorSpec } from '../../src/kernel/errors.ts'
import type { EventSpec } from '../../src/kernel/log.ts'
import type { MetricSpec } from '../../src/kernel/metrics.ts'
import type { WarningSpec } from '../../src/kernel/warnings.ts'

/** All that the TypeScript files of a folder say, without those that are left out. */
function textOf(folder: string, isLeftOut: (file: string) => boolean = () => false): string {
  const place = new URL(`../../${folder}/`, import.meta.url)
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => file.endsWith('.ts') && !isLeftOut(file))
    .map((file) => readFileSync(new URL(file, place), 'utf8'))
    .join('\n')
}

const PROGRAM = textOf('src')
const TESTS = textOf('test', (file) => file.endsWith('architecture/catalogues.test.ts'))
const errors = await declaredIn<ErrorSpec>('errors.ts', '_ERRORS')
const warnings = await declaredIn<WarningSpec>('warnings.ts', '_WARNINGS')
const events = await declaredIn<EventSpec>('events.ts', '_EVENTS')
const metrics = await declaredIn<MetricSpec>('metrics.ts', '_METRICS')

/** Rows that tests meet only by what they say, if at all. The list only gets shorter. */
const NOT_MET_BY_NAME: ReadonlySet<string | number> = new Set([
  ...[40023, 40060, 40078, 40081, 40088, 40089, 40090, 40091, 40092, 40093, 40094, 40095, 40303, 40311, 40690, 40901],
  ...[50001, 50017, 50018, 50021, 50309, 50331],
  ...['audit.failed', 'request.not-served', 'request.not-supported', 'record.not-recomputed'],
  ...['symmetry.filled-in', 'symmetry.not-filled-in'],
])

const isMet = (constant: string, name: string | number): boolean =>
  TESTS.includes(constant) || TESTS.includes(String(name))

describe('a row of a catalogue', () => {
  it.each([...errors, ...warnings, ...events, ...metrics].map(({ constant }) => constant))('%s is used', (constant) => {
    expect(new RegExp(`\\b${constant.replace('.', '\\.')}\\b`).test(PROGRAM), `nothing in src names ${constant}`).toBe(
      true,
    )
  })

  it.each([
    ...[...errors, ...warnings].map(({ constant, spec }) => [constant, spec.code] as const),
    ...events.map(({ constant, spec }) => [constant, spec.name] as const),
  ])('%s is met by a test', (constant, name) => {
    if (NOT_MET_BY_NAME.has(name)) return
    expect(isMet(constant, name), `no test names ${constant} or ${name}`).toBe(true)
  })
})

describe('the catalogue of errors', () => {
  it('has every code once', () => {
    const codes = errors.map(({ spec }) => spec.code)
    expect(codes.filter((code, n) => codes.indexOf(code) !== n)).toEqual([])
  })

  it('has codes of five digits that begin with a status of failure, each with its title', () => {
    for (const { spec } of errors.filter(({ file }) => !/^(app|cli)\//.test(file))) {
      expect([spec.code, spec.code >= 40001 && spec.code <= 55399 && spec.code % 100 > 0]).toEqual([spec.code, true])
      expect(spec.title.length).toBeGreaterThan(10)
    }
  })
})

describe('a setting', () => {
  // Where they are declared and have their defaults, nobody reads them.
  const readers = textOf('src', (file) => basename(file) === 'settings.ts')

  it.each(SETTING_NAMES)('%s is read', (name) => {
    expect(new RegExp(`\\b${name}\\b`).test(readers), `nothing in src reads the setting ${name}`).toBe(true)
  })
})
