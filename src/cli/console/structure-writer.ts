import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AppError } from '../../kernel/errors.ts'
import { writableFormat } from '../../records/kinds/material/print-material.ts'
import { extensionOf, type StructureFile } from '../../records/kinds/material/structure-files.ts'
import { RecordThreads } from '../../records/work/record-threads.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import type { StructureFormat } from '../../structure/formats/common/format.ts'
import { CLI_ERRORS } from './errors.ts'
import { EXIT } from './exit-code.ts'
import { isDirectory } from './input-file.ts'
import { print, tell } from './output.ts'
import { failureOf, type StructureFlags, structureSources } from './structure-input.ts'

/** Flags that say where and as what structures are written. */
export interface WriteFlags {
  readonly to: string
  readonly output?: string
}

/** The format of `--to`; a wrong name is a fault of the command, not of the files. */
export function namedFormat(name: string): StructureFormat {
  try {
    return writableFormat(name)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(CLI_ERRORS.usage, `--to: ${error.message}`)
  }
}

/** A structure that was made of a file: its text, or what a line for programs has of it. */
export type MadeStructure = { readonly warnings: readonly StructureWarning[] } & (
  | { readonly content: string }
  | { readonly material: unknown }
)

/** Makes a structure of each file that a command was given, on a thread, and writes it to where the flags say; a file that cannot be used does not stop the others. */
export async function writeStructures(
  names: readonly string[],
  flags: StructureFlags & WriteFlags,
  make: (file: StructureFile, work: RecordThreads) => Promise<MadeStructure>,
): Promise<void> {
  const format = namedFormat(flags.to)
  const sources = await structureSources(names, flags)
  const write = format.name === 'material' ? lineWriter(flags) : fileWriter(sources.length, flags, format)
  const work = new RecordThreads()
  try {
    for (const { name, read } of sources) {
      try {
        write(name, await make(await read(), work))
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

/** Takes what was made of a file to where it goes. */
type Writer = (name: string, made: MadeStructure) => void

function lineWriter({ output }: WriteFlags): Writer {
  if (output !== undefined) writeFileSync(output, '')
  return (name, made) => {
    const line = JSON.stringify({ file: name, ok: true, ...made })
    if (output === undefined) print(line)
    else writeFileSync(output, `${line}\n`, { flag: 'a' })
  }
}

function fileWriter(count: number, { output }: WriteFlags, format: StructureFormat): Writer {
  const place = placeOf(count, output, format)
  return (name, made) => {
    tellWarnings(name, made.warnings)
    const text = 'content' in made ? made.content : ''
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
