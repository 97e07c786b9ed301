import { readdirSync, readFileSync } from 'node:fs'

/** The processes that were started over a data directory, the workers of a server among them, which outlive it for a moment. */
export function processesOver(directory: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && argumentsOf(pid).includes(directory))
}

/** None of a process that has ended meanwhile. */
function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
