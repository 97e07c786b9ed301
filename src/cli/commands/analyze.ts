import type { Command } from 'commander'
import type { JsonObject } from '../../kernel/json.ts'
import { RecordThreads } from '../../records/work/record-threads.ts'
import { EXIT } from '../console/exit-code.ts'
import { print, printTable, tell } from '../console/output.ts'
import {
  type FileFailure,
  FRAME_FLAG,
  FRAME_HELP,
  failureOf,
  type GivenStructure,
  parseFrame,
  parseTolerance,
  type StructureFlags,
  structureSources,
  TOLERANCE_FLAG,
  TOLERANCE_HELP,
} from '../console/structure-input.ts'

interface AnalyzeFlags extends StructureFlags {
  readonly json?: boolean
  readonly symmetry: boolean
  readonly tolerance?: number
}

type Analysis = JsonObject & { readonly file: string; readonly ok: true }

/** Adds `quarry analyze`, which needs no data directory. */
export function addAnalyzeCommand(program: Command): void {
  program
    .command('analyze')
    .description('Tell formula, size, density and symmetry of structure files. Nothing is stored.')
    .argument('<file...>', 'files to read, .gz and archives (.zip, .tar, .tar.gz, .tgz) too; - is stdin')
    .option('--from <format>', 'format of the files (default: told by name and content)')
    .option(FRAME_FLAG, FRAME_HELP, parseFrame)
    .option('--no-symmetry', 'leave the space group out, which is faster')
    .option(TOLERANCE_FLAG, TOLERANCE_HELP, parseTolerance)
    .option('--json', 'print a JSON object for each file, with all that is computed, each on a line')
    .action(analyze)
}

async function analyze(names: readonly string[], flags: AnalyzeFlags): Promise<void> {
  const work = new RecordThreads({ symmetry: flags.symmetry ? {} : null })
  const found: Analysis[] = []
  try {
    for (const source of await structureSources(names, flags)) {
      const result = await analyzeFile(source, flags, work)
      if (!result.ok) process.exitCode = EXIT.failed
      if (flags.json) print(JSON.stringify(result))
      else if (result.ok) found.push(result)
      else tell(`${source.name}: ${result.error.message}`)
    }
  } finally {
    await work.close()
  }
  if (!flags.json && found.length > 0) printTable(found, COLUMNS, '')
}

async function analyzeFile(
  { name: file, read }: GivenStructure,
  { tolerance }: AnalyzeFlags,
  work: RecordThreads,
): Promise<Analysis | FileFailure> {
  try {
    const analysis = JSON.parse(await work.run('analyze', '', { file: await read(), tolerance })) as JsonObject
    return { file, ok: true, ...analysis }
  } catch (error) {
    return failureOf(file, error)
  }
}

const COLUMNS = [
  ['FILE', ({ file }: Analysis) => file],
  ['FORMAT', ({ format }: Analysis) => String(format)],
  ['FORMULA', ({ formula }: Analysis) => String(formula)],
  ['SITES', ({ sites }: Analysis) => String(sites)],
  ['VOLUME', ({ volume }: Analysis) => (volume === undefined ? '' : `${Number(volume).toFixed(3)} Å³`)],
  ['DENSITY', ({ density }: Analysis) => (density === undefined ? '' : `${Number(density).toFixed(3)} g/cm³`)],
  ['SPACE GROUP', spaceGroupOf],
] as const

function spaceGroupOf({ spaceGroup }: Analysis): string {
  const { number, symbol } = (spaceGroup ?? {}) as { number?: number; symbol?: string }
  return number === undefined ? '' : `${symbol} (${number})`
}
