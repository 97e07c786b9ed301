import { AppError, type PackedError, packError } from '../../kernel/errors.ts'
import { FORMAT_ERRORS, refusal } from '../../structure/errors.ts'
import type { Calculation, OutputFormat } from '../calculation.ts'
import { OUTPUT_FORMATS } from '../formats/output-formats.ts'
import { mergeCalculations } from './merge-calculations.ts'
import { kindOfFile, type LocalFile, readOutput } from './output-file.ts'
import { documentsOf, type RunDocuments } from './run-documents.ts'
import type { FoundOutput } from './runs-of-files.ts'

/** Files that are told by their beginnings. */
export interface FoundFiles {
  readonly outputs: readonly FoundOutput[]
  /** Names of those that are no output and hold a structure. */
  readonly structures: readonly string[]
}

/** Outputs among files, by their formats, and structures. Runs in a thread, as all of this file. */
export async function findOutputs(files: readonly LocalFile[]): Promise<FoundFiles> {
  const outputs: FoundOutput[] = []
  const structures: string[] = []
  for (const file of files) {
    const kind = await kindOfFile(file)
    if (kind === 'structure') structures.push(file.name)
    else if (kind !== null) outputs.push({ name: file.name, format: kind.name })
  }
  return { outputs, structures }
}

/** An output of a run, where it is. */
export interface LocalOutput extends LocalFile {
  readonly format: string
}

/** What was read of a run: its calculations, and which of its outputs could not be read. */
export interface RunReading {
  readonly calculations: readonly RunDocuments[]
  readonly refused: readonly { readonly name: string; readonly error: PackedError }[]
}

/** Reads the outputs of a run. Several of one calculation are one; a file of several calculations gives them all. */
export async function readRun(outputs: readonly LocalOutput[]): Promise<RunReading> {
  const read: (readonly Calculation[])[] = []
  const refused: { readonly name: string; readonly error: PackedError }[] = []
  for (const output of outputs) {
    try {
      const format = formatNamed(output.format)
      const said = (await readOutput(output, format)).map((one) => saidIn(output.name, one))
      if (said.length > 0 && said.every(saysNothing)) throw withNothing(said, format)
      read.push(said)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.push({ name: output.name, error: packError(error) })
    }
  }
  const [first = [], ...others] = read
  const [only] = first
  const calculations =
    first.length === 1 && only !== undefined
      ? [
          mergeCalculations(
            only,
            others.flatMap((some) => (some.length === 1 ? some : [])),
          ),
        ]
      : first
  return { calculations: calculations.map(documentsOf), refused }
}

/** Refuses an output that ends early, or one that is whole, or an archive, in which there is nothing of a crystal. */
function withNothing(said: readonly Calculation[], { source }: OutputFormat): AppError {
  const endsEarly = source.kind === 'text' && said.some(({ isWhole }) => !isWhole)
  const few = said.length === 1 ? 'The calculation in it has' : `The ${said.length} calculations in it have`
  const message = endsEarly
    ? 'The output says no structure and no result: it ends before them.'
    : `${few} no crystal, and no result of one: nothing of it can be stored.`
  return refusal(FORMAT_ERRORS.noStructure, message)
}

function saysNothing({ initial, final, results }: Calculation): boolean {
  return initial === null && final === null && results.length === 0
}

function saidIn(file: string, calculation: Calculation): Calculation {
  return { ...calculation, results: calculation.results.map((result) => ({ ...result, file })) }
}

function formatNamed(name: string): OutputFormat {
  const format = OUTPUT_FORMATS.find((one) => one.name === name)
  if (format === undefined) throw new Error(`there is no format of outputs called ${name}`)
  return format
}
