import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerProcess } from '../../test/cli/server-process.ts'

/** What a server took while it was watched. */
export interface Load {
  /** Milliseconds by which the event loop was late. */
  readonly delayP99: number
  readonly delayMax: number
  /** Processors that were busy with it, on the average. */
  readonly processors: number
  /** The most of resident memory. */
  readonly memoryMib: number
  /** The most of the write-ahead log. */
  readonly logMib: number
}

const MIB = 2 ** 20
const LOOK_MS = 100
/** Clock ticks of `/proc/PID/stat`. */
const TICK_MS = 10

/** Watches a server from now on, from outside. Linux only. */
export async function watchServer({ pid, url }: ServerProcess, data: string): Promise<{ end(): Promise<Load> }> {
  await delays(url)
  const began = { at: performance.now(), spent: await processorMs(pid) }
  let memoryMib = 0
  let logMib = 0
  const look = async () => {
    memoryMib = Math.max(memoryMib, await residentMib(pid))
    logMib = Math.max(logMib, await sizeMib(join(data, 'quarry.db-wal')))
  }
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS)
  return {
    async end() {
      clearInterval(timer)
      await look()
      const processors = ((await processorMs(pid)) - began.spent) / (performance.now() - began.at)
      return { ...(await delays(url)), processors, memoryMib, logMib }
    },
  }
}

/** Of the time since the last look. */
async function delays(url: string): Promise<Pick<Load, 'delayP99' | 'delayMax'>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const milliseconds = (name: string) => 1000 * Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    delayP99: milliseconds('nodejs_eventloop_lag_p99_seconds'),
    delayMax: milliseconds('nodejs_eventloop_lag_max_seconds'),
  }
}

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

async function processorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

async function sizeMib(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size / MIB,
    () => 0,
  )
}
