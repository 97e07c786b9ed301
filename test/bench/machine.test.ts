import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { busyTicks, disturbed } from '../../bench/load/idle-machine.ts'
import { familyTicks, startCpuClock } from '../../bench/load/process-figures.ts'

const MILLISECONDS_OF_WORK = 120
const WORK = `const end = process.cpuUsage().user + ${MILLISECONDS_OF_WORK * 1000}; while (process.cpuUsage().user < end);`

function work(script: string): Promise<number | null> {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  return new Promise((resolve) => child.once('close', resolve))
}

describe('processor time', () => {
  it('has the child processes of a process that have ended', async () => {
    const [cpu, ticks] = [startCpuClock([process.pid]), familyTicks([process.pid])]
    expect(await work(WORK)).toBe(0)
    expect(cpu() / 1000).toBeGreaterThan(MILLISECONDS_OF_WORK)
    expect((familyTicks([process.pid]) - ticks) * 10).toBeGreaterThanOrEqual(MILLISECONDS_OF_WORK - 10)
  })

  it('has the threads of a process that have ended', async () => {
    const cpu = startCpuClock([process.pid])
    const { Worker } = await import('node:worker_threads')
    const worker = new Worker(WORK, { eval: true })
    await new Promise((resolve) => worker.once('exit', resolve))
    expect(cpu() / 1000).toBeGreaterThan(MILLISECONDS_OF_WORK / 2)
  })

  it('of the machine is that of processes, and what another machine took; waiting and interrupts are left out', () => {
    expect(busyTicks('cpu  1 20 300 4000 50000 600000 7000000 80000000 0 0\ncpu0 9 9 9 9\n')).toBe(80_000_321)
    expect(busyTicks(readFileSync('/proc/stat', 'utf8'))).toBeGreaterThan(familyTicks([process.pid]) - 1)
  })

  it('of others counts as a disturbance from a tenth of a core', () => {
    const parts = [
      { part: 'a', cores: 0.1 },
      { part: 'b', cores: 0.11 },
    ]
    expect(disturbed(parts)).toEqual(parts.slice(1))
  })
})
