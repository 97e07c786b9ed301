import { readFileSync } from 'node:fs'

/** Of the clock that Linux counts processor time with (`sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100
const EVERY_MS = 50

/** Follows the processor time of a process, all of its threads together; null where the system does not tell it. */
export function followProcessor(pid: number): { readonly seconds: () => number | null; readonly end: () => void } {
  let last = read(pid)
  const first = last
  const timer = setInterval(() => {
    last = read(pid) ?? last
  }, EVERY_MS)
  const seconds = () => {
    last = read(pid) ?? last
    return first === null || last === null ? null : last - first
  }
  return { seconds, end: () => clearInterval(timer) }
}

function read(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const [user, system] = [Number(fields[11]), Number(fields[12])]
    return Number.isNaN(user + system) ? null : (user + system) / TICKS_PER_SECOND
  } catch {
    return null
  }
}
