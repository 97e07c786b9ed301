import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { AppError } from '../../kernel/errors.ts'
import {
  ORDERED,
  ORDERED_LIMITS,
  type PrintTerms,
  WRITTEN_SYMMETRIES,
  writableFormat,
} from '../../records/kinds/material/print-material.ts'
import { type Conversion, extensionOf } from '../../records/kinds/material/structure-files.ts'
import { RecordThreads } from '../../records/work/record-threads.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { formatNames, isWritten } from '../../structure/formats/registry.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { EXIT } from '../console/exit-code.ts'
import { isDirectory } from '../console/input-file.ts'
import { print, tell } from '../console/output.ts'
import {
  FRAME_FLAG,
  FRAME_HELP,
  failureOf,
  parseFrame,
  parseTolerance,
  type StructureFlags,
  structureSources,
  TOLERANCE_FLAG,
  TOLERANCE_HELP,
} from '../console/structure-input.ts'

interface ConvertFlags extends StructureFlags, OrderedFlags {
  readonly to: string
  readonly output?: string
  readonly symmetry?: PrintTerms['symmetry']
  readonly tolerance?: number
}

/** Adds `quarry convert`, which needs no data directory. */
export function addConvertCommand(program: Command): void {
  const command = program
    .command('convert')
    .description(
      'Write structure files in another format. To material, one JSON line for each file: {"file", "ok", "format", "material", ' +
        '"warnings"}, or {"file", "ok": false, "error"}. A file that cannot be read does not stop the others.',
    )
    .argument('<file...>', 'files to read, .gz and archives (.zip, .tar, .tar.gz, .tgz) too; - is stdin')
    .requiredOption('--to <format>', `one of ${formatNames(isWritten)}`)
    .option('--from <format>', 'format of the files (default: told by name and content)')
    .option(FRAME_FLAG, FRAME_HELP, parseFrame)
    .addOption(
      new Option(
        '--symmetry <which>',
        'of a CIF: standard, its standard cell with the operators of its space group, or none, all atoms of the cell as it is',
      ).choices(WRITTEN_SYMMETRIES),
    )
    .option(TOLERANCE_FLAG, TOLERANCE_HELP, parseTolerance)
  withOrderedFlags(command)
    .option('-o, --output <path>', 'the file to write; a directory for several (default: stdout)')
    .action(convert)
}

async function convert(names: readonly string[], flags: ConvertFlags): Promise<void> {
  const format = formatOf(flags)
  const { to, symmetry, tolerance } = flags
  const terms: PrintTerms = { format: to, symmetry, tolerance, ordered: orderedTerms(flags) }
  const sources = await structureSources(names, flags)
  const write = format.name === 'material' ? materialWriter(flags) : fileWriter(sources.length, flags, format)
  const work = new RecordThreads()
  try {
    for (const { name, read } of sources) {
      try {
        const text = await work.run('convert', '', { file: await read(), terms })
        write(name, JSON.parse(text) as Conversion)
      } catch (error) {
        const failure = failureOf(name, error)
        if (format.name === 'material') print(JSON.stringify(failure))
        else tell(`${name}: ${failure.error.message}`)
        process.exitCode = EXIT.failed
      }
    }
  } finally {
    await work.close()
  }
}

/** A wrong name of a format is a fault of the command, not of the files. */
function formatOf({ to, symmetry }: ConvertFlags): StructureFormat {
  const format = namedFormat(to)
  if (symmetry !== 'standard' || format.hasSymmetry === true) return format
  throw new AppError(CLI_ERRORS.usage, `--symmetry: ${format.title} files cannot say symmetry.`)
}

function namedFormat(name: string): StructureFormat {
  try {
    return writableFormat(name)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(CLI_ERRORS.usage, `--to: ${error.message}`)
  }
}

/** Takes what came of a file to where it goes. */
type Writer = (name: string, conversion: Conversion) => void

function materialWriter({ output }: ConvertFlags): Writer {
  if (output !== undefined) writeFileSync(output, '')
  return (name, { to: _to, ...converted }) => {
    const line = JSON.stringify({ file: name, ok: true, ...converted })
    if (output === undefined) print(line)
    else writeFileSync(output, `${line}\n`, { flag: 'a' })
  }
}

function fileWriter(count: number, { output }: ConvertFlags, format: StructureFormat): Writer {
  const place = placeOf(count, output, format)
  return (name, converted) => {
    const text = 'content' in converted ? converted.content : ''
    tellWarnings(name, converted.warnings)
    if (place === null) process.stdout.write(text)
    else writeFileSync(place(name), text)
  }
}

/** Output path of each file; null for stdout. Several files need a directory, where none of them replaces another. */
function placeOf(
  count: number,
  output: string | undefined,
  format: StructureFormat,
): ((name: string) => string) | null {
  const isFolder = output !== undefined && (output.endsWith('/') || count > 1 || isDirectory(output))
  if (output === undefined) {
    if (count <= 1) return null
    throw new AppError(CLI_ERRORS.usage, 'Several files in one format cannot go to stdout.', {
      hint: 'Name a directory with -o DIR, or use --to material, which gives a line for each.',
    })
  }
  if (!isFolder) return () => output
  mkdirSync(output, { recursive: true })
  const taken = new Set<string>()
  return (name) => {
    const stem = basename(name.replace(/\.gz$/, '')).replace(/\.[A-Za-z0-9]+$/, '')
    let candidate = `${stem}.${extensionOf(format)}`
    for (let number = 2; taken.has(candidate); number++) candidate = `${stem}-${number}.${extensionOf(format)}`
    taken.add(candidate)
    return join(output, candidate)
  }
}

function tellWarnings(name: string, warnings: readonly StructureWarning[]): void {
  for (const { message, line } of warnings) tell(`${name}${line === undefined ? '' : `:${line}`}: ${message}`)
}

interface OrderedFlags {
  readonly ordered?: (typeof ORDERED)[number]
  readonly maxAtoms?: number
  readonly seed?: number
}

const { usualAtoms, mostAtoms, usualSeed, mostSeed } = ORDERED_LIMITS

function withOrderedFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--ordered <how>',
        'of a disordered crystal: majority, the most frequent species of each site, or supercell, shares as counts in a larger cell, by chance',
      ).choices(ORDERED),
    )
    .option('--max-atoms <number>', `most atoms of the supercell (default: ${usualAtoms})`, wholeNumber(1, mostAtoms))
    .option(
      '--seed <number>',
      `another seed gives another supercell, the same seed the same (default: ${usualSeed})`,
      wholeNumber(0, mostSeed),
    )
}

/** The terms that the flags stand for; refuses those of a supercell where none is asked for. */
function orderedTerms({ ordered: how, maxAtoms, seed }: OrderedFlags): PrintTerms['ordered'] {
  if (how === 'supercell') return { how, maxAtoms: maxAtoms ?? usualAtoms, seed: seed ?? usualSeed }
  const extra = maxAtoms !== undefined ? '--max-atoms' : seed !== undefined ? '--seed' : undefined
  if (extra !== undefined) throw new AppError(CLI_ERRORS.usage, `${extra}: it goes with --ordered supercell only.`)
  return how === undefined ? undefined : { how }
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`)
  }
}
