import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BackupSeries } from '../../src/cli/commands/backup.ts'

const NOW = Date.UTC(2026, 0, 31, 2, 0, 5)
const DAY_S = 86_400

describe('a series of backups', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'quarry-series-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const put = (...names: string[]) => names.map((name) => writeFileSync(join(directory, name), ''))
  const left = () => readdirSync(directory).sort()

  it('names a backup by the time at which it was begun', () => {
    expect(new BackupSeries('/b', 'lab').fileAt(NOW)).toBe('/b/lab-2026-01-31T020005Z.db')
  })

  it('keeps the newest ones, and the one that was just written even when the clock was set back', () => {
    put('lab-2030-01-01T000000Z.db', 'lab-2030-01-02T000000Z.db', 'lab-2026-01-31T020005Z.db')
    const latest = join(directory, 'lab-2026-01-31T020005Z.db')
    expect(new BackupSeries(directory, 'lab').prune(1, latest, NOW)).toHaveLength(2)
    expect(left()).toEqual(['lab-2026-01-31T020005Z.db'])
  })

  it('touches nothing else: other names, links, directories', () => {
    put('lab.db', 'xlab-2020-01-01T000000Z.db', 'lab-2020-01-01T000000Z.db.bak', 'l-b-2020-01-01T000000Z.db')
    symlinkSync('lab.db', join(directory, 'lab-2020-01-01T000000Z.db'))
    mkdirSync(join(directory, 'lab-2020-01-02T000000Z.db'))
    const before = left()
    expect(new BackupSeries(directory, 'lab').prune(1, join(directory, 'lab.db'), NOW)).toEqual([])
    expect(new BackupSeries(directory, 'l.b').prune(1, join(directory, 'lab.db'), NOW)).toEqual([])
    expect(left()).toEqual(before)
  })

  it('deletes what is left of backups that were interrupted, but not of one that may be under way', () => {
    const parts = ['a', 'b'].map((letter) => `lab-2026-01-29T020005Z.db.${letter.repeat(36)}.partial`)
    put(...parts)
    for (const [at, name] of parts.entries()) {
      const time = NOW / 1000 - (at === 0 ? 2 : 0.5) * DAY_S
      utimesSync(join(directory, name), time, time)
    }
    expect(new BackupSeries(directory, 'lab').prune(3, '', NOW)).toEqual([join(directory, parts[0] as string)])
  })
})
