import { readdirSync, readFileSync } from 'node:fs'

/** Length of the kernel's clock tick that /proc/PID/stat counts in: 100 a second on every Linux that Node supports. */
const TICK_MICROSECONDS = 10_000

/** CPU time of a process at one moment. */
interface CpuReading {
  /** utime + stime of /proc/PID/stat: exact to a tick, threads that have ended included. */
  readonly ticksMicros: number
  /** Thread id → nanoseconds on a CPU by /proc/PID/task/TID/schedstat: exact, but gone when a thread ends. */
  readonly threads: ReadonlyMap<string, number>
}

/** Starts counting the CPU time of processes with all their threads and child processes; the result gives microseconds since. */
export function startCpuClock(pids: readonly number[]): () => number {
  const before = new Map(pids.flatMap(familyOf).map((member) => [member, readCpu(member)] as const))
  return () => {
    let micros = 0
    for (const member of pids.flatMap(familyOf)) micros += cpuBetween(before.get(member), readCpu(member))
    return micros
  }
}

/** Resident memory of a process with its children, in megabytes: now, and at its highest (summed for several processes). */
export function residentMegabytes(pid: number): { readonly now: number; readonly peak: number } {
  let [now, peak] = [0, 0]
  for (const member of familyOf(pid)) {
    const status = readFileSync(`/proc/${member}/status`, 'utf8')
    now += Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024
    peak += Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024
  }
  return { now, peak }
}

/** What a process and its children have given the disk to write so far, in kilobytes. */
export function writtenKilobytes(pid: number): number {
  const bytes = familyOf(pid).map(
    (member) => /^write_bytes: (\d+)/m.exec(readFileSync(`/proc/${member}/io`, 'utf8'))?.[1],
  )
  return bytes.reduce((sum, value) => sum + Number(value ?? 0), 0) / 1024
}

function cpuBetween(before: CpuReading | undefined, after: CpuReading): number {
  const threadsLost = [...(before?.threads.keys() ?? [])].some((thread) => !after.threads.has(thread))
  if (threadsLost || after.threads.size === 0) return after.ticksMicros - (before?.ticksMicros ?? 0)
  let nanoseconds = 0
  for (const [thread, value] of after.threads) nanoseconds += value - (before?.threads.get(thread) ?? 0)
  return nanoseconds / 1000
}

function readCpu(pid: number): CpuReading {
  // the command name in parentheses may hold spaces, so fields are counted after it
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticksMicros = (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS
  return { ticksMicros, threads: readThreads(pid) }
}

/** Empty where the kernel keeps no schedstat. */
function readThreads(pid: number): ReadonlyMap<string, number> {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return new Map(
      threads.map((thread) => [
        thread,
        Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
      ]),
    )
  } catch {
    return new Map()
  }
}

/** A process and all that it started. */
function familyOf(pid: number): readonly number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(familyOf)]
}
