import { type Command, Option } from 'commander'
import { AppError } from '../../kernel/errors.ts'
import { type PrintTerms, WRITTEN_SYMMETRIES } from '../../records/kinds/material/print-material.ts'
import type { Conversion } from '../../records/kinds/material/structure-files.ts'
import { formatNames, isWritten } from '../../structure/formats/registry.ts'
import { CLI_ERRORS } from '../console/errors.ts'
import { type OrderedFlags, orderedFlag, orderedTerms, withSupercellTerms } from '../console/ordered-flags.ts'
import {
  FRAME_FLAG,
  FRAME_HELP,
  parseFrame,
  parseTolerance,
  type StructureFlags,
  TOLERANCE_FLAG,
  TOLERANCE_HELP,
} from '../console/structure-input.ts'
import { namedFormat, type WriteFlags, writeStructures } from '../console/structure-writer.ts'

interface ConvertFlags extends StructureFlags, WriteFlags, OrderedFlags {
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
    .addOption(orderedFlag())
  withSupercellTerms(command)
    .option('-o, --output <path>', 'the file to write; a directory for several (default: stdout)')
    .action(convert)
}

async function convert(names: readonly string[], flags: ConvertFlags): Promise<void> {
  assertSaysSymmetry(flags)
  const { to, symmetry, tolerance } = flags
  const terms: PrintTerms = { format: to, symmetry, tolerance, ordered: orderedTerms(flags) }
  await writeStructures(names, flags, async (file, work) => {
    const { to: _to, ...converted } = JSON.parse(await work.run('convert', '', { file, terms })) as Conversion
    return converted
  })
}

function assertSaysSymmetry({ to, symmetry }: ConvertFlags): void {
  const format = namedFormat(to)
  if (symmetry !== 'standard' || format.hasSymmetry === true) return
  throw new AppError(CLI_ERRORS.usage, `--symmetry: ${format.title} files cannot say symmetry.`)
}
