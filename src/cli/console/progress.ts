import { setPriority } from 'node:os'

const WIDTH = 30
const INTERVAL_MS = 100

/** Shows how far a long command is, on a terminal only: a log file does not want a bar. */
export interface Progress {
  /** `total` null: it is not known how much there is. */
  update(done: number, total: number | null): void
  /** Takes the bar away. */
  end(): void
}

/** Starts a bar on stderr. */
export function startProgress(label: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { update() {}, end() {} }
  let shownAt = 0
  return {
    update(done, total) {
      const now = Date.now()
      if (now - shownAt < INTERVAL_MS) return
      shownAt = now
      stream.write(`\r\u001b[K${label} ${total === null ? done : bar(done, total)}`)
    },
    end() {
      stream.write('\r\u001b[K')
    },
  }
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.round(share * WIDTH)
  return `[${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${Math.floor(share * 100)} % (${done}/${total})`
}

/** A tenth of the share of a process that has none: reads of a server beside an import keep most of their rate. */
const NICENESS = 10

/** Lets other processes go first, a server over the same data above all, for as long as this one lasts. */
export function lowerPriority(): void {
  try {
    setPriority(NICENESS)
  } catch {
    // The system may not allow it; the work is done all the same.
  }
}
