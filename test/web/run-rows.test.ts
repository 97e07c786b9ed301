import { describe, expect, it } from 'vitest'
import { linesOf } from '../../web/pages/import/runs/lines-to-store.ts'
import { countStates, type RunRow, type SaidRun, withImported, withSaid } from '../../web/pages/import/runs/run-row.ts'
import {
  countWords,
  methodWords,
  placeWithin,
  programWords,
  valueWords,
} from '../../web/pages/import/runs/run-words.ts'

const shown = (name: string) => name
const said = (file: string, outcome: SaidRun['outcome'], more: Partial<SaidRun> = {}): SaidRun => ({
  file,
  outcome,
  jobId: file,
  ...more,
})
const look = (rows: readonly RunRow[], runs: readonly SaidRun[], portion = 0) =>
  withSaid(rows, runs, { portion, shown })
const states = (rows: readonly RunRow[]) => rows.map(({ state }) => state)

describe('calculations in the list', () => {
  it('are new, there already, the same as another one, or refused', () => {
    const error = { code: 42225, message: 'It has no end.' }
    const rows = look(
      [],
      [said('a', 'stored'), said('b', 'skipped'), said('c', 'stored', { jobId: 'a' }), said('d', 'refused', { error })],
    )
    expect(states(rows)).toEqual(['new', 'there', 'same', 'refused'])
    expect(rows[2]?.sameAs).toBe('a')
  })

  it('are those of a file of several one by one', () => {
    const rows = look([], [said('all.db', 'stored', { jobId: '0' }), said('all.db', 'skipped', { jobId: '1' })])
    expect(rows.map(({ key, state }) => [key, state])).toEqual([
      ['all.db#0', 'new'],
      ['all.db#1', 'there'],
    ])
  })

  it('are stored, refused, or new as before when an import has ended', () => {
    const materials = [{ _id: 'm', name: 'Si', isNew: true }]
    const before = look(
      [],
      [
        said('a', 'stored', { materials }),
        said('b', 'stored'),
        said('c', 'stored', { jobId: 'a' }),
        said('d', 'stored'),
      ],
    )
    const error = { code: 42225, message: 'It has no end.' }
    const rows = withImported(before, { stored: new Set(['a']), refused: new Map([['b', error]]), ended: new Set() })
    expect(states(rows)).toEqual(['stored', 'refused', 'same', 'new'])
    expect(rows[1]?.error).toEqual(error)
    // Nobody has said that this material is there.
    expect(rows[0]?.materials).toBeUndefined()
    expect(states(look(rows, [said('e', 'stored', { jobId: 'd' })], 1)).at(-1)).toBe('same')
  })

  it('that were handed over and are not stored were refused, also where the reason of each is not told', () => {
    const before = look([], [said('a', 'stored'), said('b', 'stored'), said('c', 'stored')])
    const rows = withImported(before, { stored: new Set(['a']), refused: new Map(), ended: new Set(['a', 'b']) })
    expect(states(rows)).toEqual(['stored', 'refused', 'new'])
    expect(rows[1]?.error?.message).toContain('the first ones alone')
  })

  it('are named in as many lines as the server takes them', () => {
    const only = Array.from({ length: 1200 }, (_, at) => `${at}`.padStart(17, 'j'))
    const file = (name: string) => ({ name, ticket: 't'.repeat(300) })
    const named = (files: Parameters<typeof linesOf>[0]['files']) => {
      const lines = linesOf({ files, only, isPublic: true })
      expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(64 * 1024)
      const read = lines.map((line) => JSON.parse(line) as { only: string[]; files: unknown; isPublic: boolean })
      expect(read.flatMap((line) => line.only)).toEqual(only)
      for (const line of read) expect([line.files, line.isPublic]).toEqual([files, true])
      return lines.length
    }
    expect(named([file('all.db')])).toBe(3)
    expect(named(Array.from({ length: 170 }, (_, at) => file(`é${at}`)))).toBeGreaterThan(4)
  })

  it('are told of in a sentence', () => {
    expect(countWords(countStates([]))).toBe('No calculation was found.')
    const rows = look([], [said('a', 'stored'), said('b', 'stored'), said('c', 'skipped'), said('d', 'refused')])
    expect(countWords(countStates(rows))).toBe('2 calculations are new, 1 is there already, 1 cannot be read.')
    expect(countWords({ new: 0, there: 0, same: 1, stored: 1200, refused: 0 })).toBe(
      '1,200 calculations are stored, 1 is the same as another one here.',
    )
  })

  it('have their program, functional and values in words', () => {
    const run = said('a', 'stored', {
      code: { name: 'espresso', version: '7.2' },
      group: 'espresso:dft:gga:pbe',
      properties: [
        { name: 'total_energy', value: -214.16, units: 'eV' },
        { name: 'band_gaps', value: 0.6233, units: 'eV', type: 'indirect' },
      ],
    })
    expect([programWords(run), methodWords(run)]).toEqual(['Quantum ESPRESSO 7.2', 'PBE (GGA)'])
    expect(valueWords(run, 'total_energy')).toBe('−214.160 eV')
    expect(valueWords(run, 'band_gaps')).toBe('0.623 eV indirect')
    expect(valueWords(run, 'pressure')).toBe('')
    expect(programWords(said('a', 'refused'))).toBe('')
  })

  it('are where they are below the folder that was chosen', () => {
    expect(placeWithin('runs', 'runs/si/relax/OUTCAR')).toEqual(['si/relax', 'OUTCAR'])
    expect(placeWithin('runs', 'runs/OUTCAR')).toEqual(['', 'OUTCAR'])
    expect(placeWithin('a and 1 more', 'a/OUTCAR')).toEqual(['a', 'OUTCAR'])
  })
})
