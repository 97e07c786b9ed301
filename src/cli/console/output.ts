import { setPriority } from 'node:os'
import type { Warning } from '../../kernel/warnings.ts'

/** One column of a table for people: its head, and the text for a row. */
export type PrintedColumn<Row> = readonly [head: string, cell: (row: Row) => string]

/** Whether nobody reads on, or nothing more is to be said. */
let isEnded = false

/** Makes a reader that stops early (`quarry export | head`) the end of the output, not a crash; what else a command does goes on. */
export function toleratePipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      isEnded = true
    })
  }
}

/** Ends the process when what was printed has been taken; what is printed from now on is not. */
export function endWith(exitCode: number): void {
  isEnded = true
  process.stdout.write('', () => process.exit(exitCode))
}

/** Writes a result, which is what stdout is for. */
export function print(line: string): void {
  hideBar()
  if (!isEnded) process.stdout.write(`${line}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** Writes rows for people, columns aligned; says what there is none of when there are none. */
export function printTable<Row>(rows: readonly Row[], columns: readonly PrintedColumn<Row>[], none: string): void {
  if (rows.length === 0) {
    tell(none)
    return
  }
  const lines = [columns.map(([head]) => head), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  for (const line of lines) {
    const cells = line.map((cell, index) => cell.padEnd(widths[index] ?? 0))
    print(cells.join('  ').trimEnd())
  }
}

/** Writes something about the run that is not its result: to stderr. */
export function tell(line: string): void {
  hideBar()
  process.stderr.write(`${line}\n`)
}

/** Writes what the reader of a result should know, to stderr. */
export function tellWarnings(warnings: readonly Warning[]): void {
  for (const warning of warnings) tell(`warning ${warning.code}: ${withHint(warning)}`)
}

/** Ends a message with what to do, where it does not say so itself. */
export function withHint({ message, hint }: { readonly message: string; readonly hint?: unknown }): string {
  return typeof hint === 'string' && !message.includes(hint) ? `${message} ${hint}` : message
}

/** Writes an instant for people and scripts alike; nothing for none. */
export function instant(milliseconds: number | null): string {
  return milliseconds === null ? '' : new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z')
}

const WIDTH = 30
const INTERVAL_MS = 100
const EMPTY_LINE = '\r\u001b[K'

/** Takes the bar that is shown out of its line, which others want to write. */
let hideBar = (): void => {}

/** Shows how far a long command is, on a terminal only: a log file does not want a bar. */
export interface ProgressBar {
  /** `total` null: it is not known how much there is. */
  update(done: number, total: number | null): void
  end(): void
}

export function startProgress(label: string, stream: NodeJS.WriteStream = process.stderr): ProgressBar {
  if (!stream.isTTY) return { update() {}, end() {} }
  let shownAt = 0
  const hide = () => {
    stream.write(EMPTY_LINE)
    hideBar = () => {}
    shownAt = 0
  }
  return {
    update(done, total) {
      const now = Date.now()
      if (now - shownAt < INTERVAL_MS) return
      shownAt = now
      stream.write(`${EMPTY_LINE}${label} ${total === null ? done : bar(done, total)}`)
      hideBar = hide
    },
    end: hide,
  }
}

/** Shows how far something is, and takes the bar away whatever becomes of it. */
export async function withProgress<T>(
  label: string,
  run: (update: ProgressBar['update']) => T | Promise<T>,
): Promise<T> {
  const progress = startProgress(label)
  try {
    return await run(progress.update)
  } finally {
    progress.end()
  }
}

/** The same of work in phases, each with a label and a progress of its own. */
export async function withPhases<Phase extends string, T>(
  labels: Readonly<Record<Phase, string>>,
  run: (update: (phase: Phase, done: number, total: number) => void) => Promise<T>,
): Promise<T> {
  let current: { readonly phase: Phase; readonly progress: ProgressBar } | null = null
  try {
    return await run((phase, done, total) => {
      if (current?.phase !== phase) {
        current?.progress.end()
        current = { phase, progress: startProgress(labels[phase]) }
      }
      current.progress.update(done, total)
    })
  } finally {
    ;(current as { readonly progress: ProgressBar } | null)?.progress.end()
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
