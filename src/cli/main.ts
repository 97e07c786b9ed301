#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { CommanderError } from 'commander'
import { AppError } from '../kernel/errors.ts'
import { exitCodeOf, inWords } from './console/exit-code.ts'
import { tell, toleratePipes } from './console/output.ts'
import { loadProgram } from './program.ts'

collectEarly()
toleratePipes()
try {
  const program = await loadProgram(process.argv.slice(2))
  await program.parseAsync()
} catch (fault) {
  const error = inWords(fault)
  report(error)
  process.exitCode = exitCodeOf(error)
}

/**
 * Has garbage collected early, and by the thread that made it. V8 lets the heap of each thread grow to four times of what is in use, and gives it 32 MiB for
 * young objects, where memory is plenty: of seven threads that is hundreds of megabytes of nothing. What a command does takes a fifth more processor time by
 * that; a server, where the same is done again and again, bounds its heaps by other means (`serving/serve`).
 */
function collectEarly(): void {
  setFlagsFromString('--optimize-for-size')
  setFlagsFromString('--no-parallel-scavenge')
}

/** Says on stderr what went wrong. Commander has already spoken for itself. */
function report(error: unknown): void {
  if (error instanceof CommanderError) return
  if (error instanceof AppError) {
    tell(`quarry: ${error.message}`)
    const { hint } = error.data
    // Messages about queries end with what would be right.
    if (hint !== undefined && !error.message.endsWith(hint)) tell(hint)
  } else {
    tell(`quarry: internal fault: ${(error as Error).stack ?? error}`)
  }
}
