import { AppError } from '../../kernel/errors.ts'
import { remedied } from '../../page/remedies.ts'
import type { Crystal, ReadOptions } from '../crystal.ts'
import { FORMAT_ERRORS, refusal, withLinesFrom } from '../errors.ts'
import { requireApart } from '../near-pairs.ts'
import { requireOrdered } from '../occupancy.ts'
import type { FormatName, PrintOptions, StructureFormat } from './common/format.ts'
import { leftOutWarning, settleRest } from './common/rest.ts'
import { betterFormat, type FileHints, requireFormat } from './detect.ts'
import { FramePicker } from './frame-picker.ts'
import { findFormat, formatNames, isWritten } from './registry.ts'

/** A crystal and the format that it was read from. */
export interface StructureReading {
  readonly format: FormatName
  readonly crystal: Crystal
}

/** Reads a structure file of any known format; refuses with line and advice what cannot be stored as it is. */
export function readStructure(text: string, hints: FileHints = {}): StructureReading {
  try {
    return readPicked(text, hints)
  } catch (error) {
    throw withLikeness(error, text, hints)
  }
}

/** Says of a text that cannot be read by the format that its sender has chosen which it looks like. */
function withLikeness(error: unknown, text: string, { format = '' }: FileHints): unknown {
  const chosen = findFormat(format)
  const other = chosen === undefined ? undefined : betterFormat(text, chosen)
  if (other === undefined || !(error instanceof AppError)) return error
  return new AppError(error.spec, `${error.message} It looks like ${other.title}.`, {
    ...error.data,
    ...remedied('leaveFormatOut', { format: other.name }),
  })
}

function readPicked(text: string, { taken, ...hints }: FileHints): StructureReading {
  const picker = new FramePicker(hints)
  picker.read(text)
  const { frame, format, warnings } = picker.end()
  const line = frame.line + (taken?.line ?? 1) - 1
  const crystal = withLinesFrom(line, () => readFrame(frame.text, format, hints))
  const ofText = crystal.warnings.map((one) => (one.line === undefined ? one : { ...one, line: one.line + line - 1 }))
  const all = [...(taken?.warnings ?? []), ...warnings, ...ofText]
  return { format: format.name, crystal: withFewWarnings(withSettledRest({ ...crystal, warnings: all })) }
}

function readFrame(text: string, format: StructureFormat, options: ReadOptions): Crystal {
  const crystal = format.parse(text, options)
  requireApart(crystal.lattice, crystal.periodic, crystal.sites)
  return crystal
}

/** Says what of the file a record would not have; what is small enough stays with the crystal. */
function withSettledRest(crystal: Crystal): Crystal {
  if (crystal.rest === undefined) return crystal
  const rest = settleRest(crystal.rest, crystal.sites.length)
  return { ...crystal, rest, warnings: [...leftOutWarning(rest.leftOut), ...crystal.warnings] }
}

const MOST_WARNINGS = 50

/** A file with the same flaw on every line says it often enough in the first few. */
function withFewWarnings(crystal: Crystal): Crystal {
  const { warnings } = crystal
  if (warnings.length <= MOST_WARNINGS) return crystal
  const rest = { code: 'more-warnings', message: `${warnings.length - MOST_WARNINGS} more warnings are left out.` }
  return { ...crystal, warnings: [...warnings.slice(0, MOST_WARNINGS), rest] }
}

/** Writes a crystal in a format that can be written. */
export function printStructure(crystal: Crystal, formatName: string, options: PrintOptions = {}): string {
  const format = requireFormat(formatName)
  if (format.print !== undefined) {
    if (format.writes?.includes('occupancies') !== true) requireOrdered(crystal, format.title)
    return format.print(crystal, options)
  }
  throw refusal(FORMAT_ERRORS.notWritable, `${format.title} files are read but not written.`, {
    hint: `Formats that are written: ${formatNames(isWritten)}.`,
  })
}
