import { spawn } from 'node:child_process'
import { residentMegabytes } from '../load/process-figures.ts'
import { plainEnvironment } from '../load/server-process.ts'
import { QUARRY } from '../servers/quarry.ts'

/** What a run of the command line took. */
export interface CommandFigures {
  readonly seconds: number
  readonly peakMegabytes: number
  readonly output: string
}

const MEMORY_LOOK_MS = 20

/** Runs `quarry` with arguments to its end; fails with what it said when it does not end well. */
export function runQuarry(args: readonly string[]): Promise<CommandFigures> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, [QUARRY, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: plainEnvironment(),
    })
    let [output, complaints, peakMegabytes] = ['', '', 0]
    const look = setInterval(() => {
      peakMegabytes = Math.max(peakMegabytes, child.exitCode === null ? peakOf(child.pid) : 0)
    }, MEMORY_LOOK_MS)
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-2000)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      clearInterval(look)
      if (code === 0) resolve({ seconds: (performance.now() - started) / 1000, peakMegabytes, output })
      else reject(new Error(`quarry ${args[0]} ended with ${code}: ${complaints}`))
    })
  })
}

/** 0 when the process has just ended. */
function peakOf(pid: number | undefined): number {
  try {
    return pid === undefined ? 0 : residentMegabytes(pid).peak
  } catch {
    return 0
  }
}
