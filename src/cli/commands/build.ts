import type { Command } from 'commander'
import type { JsonObject } from '../../kernel/json.ts'
import type { BuildAnswer } from '../../records/kinds/material/build-answer.ts'
import type { Conversion, StructureFile } from '../../records/kinds/material/structure-files.ts'
import { builtText } from '../../records/use-cases/build-material.ts'
import type { RecordThreads } from '../../records/work/record-threads.ts'
import type { StepReport } from '../../structure/building/build-structure.ts'
import { growthOf } from '../../structure/building/step-growth.ts'
import type { StructureWarning } from '../../structure/crystal.ts'
import { formatNames, isWritten } from '../../structure/formats/registry.ts'
import { BuildFlags, type StepFlags } from '../console/build-flags.ts'
import { tell } from '../console/output.ts'
import { FRAME_FLAG, FRAME_HELP, parseFrame, type StructureFlags } from '../console/structure-input.ts'
import { type MadeStructure, type WriteFlags, writeStructures } from '../console/structure-writer.ts'

type BuildCommandFlags = StructureFlags & WriteFlags & StepFlags

/** Adds `quarry build`, which needs no data directory. */
export function addBuildCommand(program: Command): void {
  const steps = new BuildFlags()
  const command = program
    .command('build')
    .description(
      'Build structures from structure files: supercells, slabs, defects, strained cells. Steps are carried out in the order of their flags. To material, one JSON line for each file: ' +
        '{"file", "ok", "material", "nSites", "formula", "steps", "consistencyChecks", "warnings"}, or {"file", "ok": false, "error"}.',
    )
    .argument('<file...>', 'files to read, .gz and archives (.zip, .tar, .tar.gz, .tgz) too; - is stdin')
    .requiredOption('--to <format>', `one of ${formatNames(isWritten)}`)
    .option('--from <format>', 'format of the files (default: told by name and content)')
    .option(FRAME_FLAG, FRAME_HELP, parseFrame)
  steps
    .addTo(command)
    .option('-o, --output <path>', 'the file to write; a directory for several (default: stdout)')
    .action(async (names: readonly string[], flags: BuildCommandFlags) => {
      const asked = steps.read(flags)
      await writeStructures(names, flags, async (file, work) => {
        const built = await work.run('buildStructure', '', { file, steps: asked, growth: growthOf(asked) })
        return flags.to === 'material' ? lineOf(built) : written(file, built, { work, to: flags.to })
      })
    })
}

function lineOf(built: BuildAnswer): MadeStructure {
  return JSON.parse(builtText(built, built.material)) as MadeStructure
}

/** Writes what was built as a file, in the cell that it has; what came of slabs is told. */
async function written(
  { fileName = '-' }: StructureFile,
  { material, beside }: BuildAnswer,
  { work, to }: { readonly work: RecordThreads; readonly to: string },
): Promise<MadeStructure> {
  const told = JSON.parse(beside) as {
    readonly steps: readonly StepReport[]
    readonly warnings: readonly StructureWarning[]
    readonly consistencyChecks: readonly JsonObject[]
  }
  for (const report of told.steps) if (report.terminations !== undefined) tell(`${fileName}: ${slabText(report)}`)
  for (const { message } of told.consistencyChecks) tell(`${fileName}: ${String(message)}`)
  const file = { text: material, format: 'material' }
  const terms = to === 'cif' ? ({ format: to, symmetry: 'none' } as const) : { format: to }
  const { warnings, ...made } = JSON.parse(await work.run('convert', '', { file, terms })) as Conversion
  return { ...made, warnings: [...told.warnings, ...warnings] }
}

function slabText({
  terminations = [],
  termination = 0,
  thickness = 0,
  vacuum = 0,
  layers = 0,
  atomicLayers = 0,
}: StepReport): string {
  const list = terminations.map((one) => `${one.termination} (${one.bottom} below, ${one.top} above)`)
  const size = `${thickness.toFixed(3)} Å thick, ${vacuum} Å of vacuum, ${layers} repeats of ${atomicLayers / Math.max(1, layers)} atomic layers`
  return `slab ${size}; termination ${termination} of ${list.join(', ')}.`
}
