import { readdirSync, readFileSync } from 'node:fs'

/** The kernel's clock ticks that /proc/PID/stat counts in: as many on every Linux that Node supports. */
export const TICKS_PER_SECOND = 100
const TICK_MICROSECONDS = 1_000_000 / TICKS_PER_SECOND

/** CPU time of processes at one moment. */
interface CpuReading {
  /** By /proc/PID/stat: exact to a tick for each process, with threads and child processes that have ended. */
  readonly ticks: number
  /** Process and thread → nanoseconds on a CPU by /proc/PID/task/TID/schedstat: exact, but gone when a thread ends. */
  readonly threads: ReadonlyMap<string, number>
  readonly processes: number
}

/** Starts counting the CPU time of processes with all their threads and child processes; the result gives microseconds since. */
export function startCpuClock(pids: readonly number[]): () => number {
  const before = readCpu(pids)
  return () => cpuBetween(before, readCpu(pids))
}

/** CPU time of processes with all that they have started, ended or not, in clock ticks. */
export function familyTicks(pids: readonly number[]): number {
  return pids.flatMap(familyOf).reduce((sum, pid) => sum + ticksOf(pid), 0)
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

/** Threads tell it exactly. Where one has come and gone, or ended, they tell less than the ticks do, which are taken then. */
function cpuBetween(before: CpuReading, after: CpuReading): number {
  let nanoseconds = 0
  for (const [thread, value] of after.threads) nanoseconds += value - (before.threads.get(thread) ?? 0)
  const [exact, whole] = [nanoseconds / 1000, (after.ticks - before.ticks) * TICK_MICROSECONDS]
  const hasLost = [...before.threads.keys()].some((thread) => !after.threads.has(thread))
  return hasLost || whole - exact > 2 * TICK_MICROSECONDS * after.processes ? whole : exact
}

function readCpu(pids: readonly number[]): CpuReading {
  const family = pids.flatMap(familyOf)
  return {
    ticks: familyTicks(pids),
    threads: new Map(family.flatMap(readThreads)),
    processes: family.length,
  }
}

/** User and system time of a process, and of its children that have ended; 0 when it has just ended itself. */
function ticksOf(pid: number): number {
  try {
    // The command name in parentheses may hold spaces, so fields are counted after it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  } catch {
    return 0
  }
}

/** Empty where the kernel keeps no schedstat. */
function readThreads(pid: number): readonly (readonly [string, number])[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => [
      `${pid} ${thread}`,
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    ])
  } catch {
    return []
  }
}

/** A process and all that it started and that has not ended. */
function familyOf(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children.flatMap(familyOf)]
  } catch {
    return []
  }
}
