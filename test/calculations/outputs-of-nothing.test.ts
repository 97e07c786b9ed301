import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readRun } from '../../src/calculations/runs/read-run.ts'
import { writeDatabase } from './support/aiida-archive.ts'

const folder = mkdtempSync(join(tmpdir(), 'quarry-nothing-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ADD = 'process.calculation.calcjob.CalcJobNode.'
const sum = (uuid: string, attributes: object) => ({
  uuid,
  type: ADD,
  process: 'aiida.calculations:core.arithmetic.add',
  attributes,
})
const archiveOf = (...attributes: readonly object[]) => ({
  nodes: [
    { uuid: 'two', type: 'data.core.int.Int.', attributes: { value: 2 } },
    { uuid: 'four', type: 'data.core.int.Int.', attributes: { value: 4 } },
    ...attributes.map((some, at) => sum(`sum-${at}`, some)),
  ],
  links: attributes.flatMap((_, at) => [
    ['two', `sum-${at}`, 'x', 'input_calc'] as const,
    [`sum-${at}`, 'four', 'sum', 'create'] as const,
  ]),
})
const FINISHED = { process_state: 'finished', exit_status: 0 }
const ENDS = 'The output says no structure and no result: it ends before them.'

it.each([
  ['an archive of one sum', archiveOf(FINISHED), 'The calculation in it has no crystal, and no result of one: nothing'],
  [
    'an archive of sums',
    archiveOf(FINISHED, { process_state: 'running' }),
    'The 2 calculations in it have no crystal,',
  ],
])('%s is refused, since it has no crystal', async (_what, archive, message) => {
  const path = join(folder, `${archive.nodes.length}.sqlite3`)
  writeDatabase(path, archive)
  const { refused } = await readRun([{ name: 'db.sqlite3', format: 'aiida-database', path }])
  expect(refused.map(({ error }) => error.message)).toEqual([expect.stringContaining(message)])
})

it.each([
  ['materials-project', '{"material_id": "mp-1"}', 'The calculation in it has no crystal, and no result of one'],
  ['espresso-output', '     Program PWSCF v.5.0.2 (svn rev. 9398) starts on 23Apr2015 at  8:28:50\n', ENDS],
])('an output of nothing says whether it ends early: %s', async (format, text, message) => {
  const path = join(folder, format)
  writeFileSync(path, text)
  const { refused } = await readRun([{ name: 'output', format, path }])
  expect(refused.map(({ error }) => error.message)).toEqual([expect.stringContaining(message)])
})
