import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { openServices } from '../../src/app/open-services.ts'
import { WorkTurn } from '../../src/app/turn.ts'

it('a turn is of one process, which keeps it by going on, and of another a minute after the last step', async () => {
  const data = mkdtempSync(join(tmpdir(), 'quarry-turn-'))
  const terms = { symmetry: 'off', passwordMemoryKib: '1024', workerThreads: '1' } as const
  const services = await openServices(readConfig({ data, ...terms }, {}, null))
  let now = 1_000_000
  const moved = { ...services, records: { ...services.records, clock: () => now } }
  const [one, other] = [new WorkTurn(moved, 'some work'), new WorkTurn(moved, 'some work')]
  try {
    expect([await one.isOurs(), await other.isOurs()]).toEqual([true, false])
    expect([one.pauseOf(600_000), other.pauseOf(600_000), other.pauseOf(20)]).toEqual([600_000, 60_000, 20])
    now += 40_000
    expect([await one.isOurs(), await other.isOurs()]).toEqual([true, false])
    expect(other.pauseOf(600_000)).toBe(60_000)
    now += 60_000
    expect(other.pauseOf(600_000)).toBe(1)
    expect([await other.isOurs(), await one.isOurs()]).toEqual([true, false])
    expect(other.pauseOf(600_000)).toBe(600_000)
    await one.end()
    expect(await one.isOurs()).toBe(false)
    await other.end()
    expect([await one.isOurs(), await other.isOurs()]).toEqual([true, false])
    const short = new WorkTurn(moved, 'other work', 5_000)
    expect([await short.isOurs(), await new WorkTurn(moved, 'other work').isOurs()]).toEqual([true, false])
    now += 5_001
    expect(await new WorkTurn(moved, 'other work').isOurs()).toBe(true)
  } finally {
    await services.close()
    rmSync(data, { recursive: true })
  }
})
