#!/usr/bin/env node
import { CommanderError } from 'commander'
import { AppError } from '../kernel/errors.ts'
import { exitCodeOf, inWords } from './console/exit-code.ts'
import { tell, toleratePipes } from './console/output.ts'
import { loadProgram } from './program.ts'

toleratePipes()
try {
  const program = await loadProgram(process.argv.slice(2))
  await program.parseAsync()
} catch (fault) {
  const error = inWords(fault)
  report(error)
  process.exitCode = exitCodeOf(error)
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
