import type { Command } from 'commander'
import { bareProgram } from './program.ts'

/**
 * Commands that are called once for each of thousands of files: they start without the store and the server, which take ten times as
 * long to load as a file takes to read.
 */
const LIGHT: ReadonlyMap<string, () => Promise<(program: Command) => void>> = new Map([
  ['convert', async () => (await import('./commands/convert.ts')).addConvertCommand],
  ['analyze', async () => (await import('./commands/analyze.ts')).addAnalyzeCommand],
])

/** Assembles the command line as far as these arguments need it. */
export async function loadProgram([name = '']: readonly string[]): Promise<Command> {
  const load = LIGHT.get(name)
  if (load === undefined) return (await import('./program.ts')).buildProgram()
  const program = bareProgram()
  const add = await load()
  add(program)
  return program
}
