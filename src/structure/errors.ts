import { AppError, defineErrors, type ErrorSpec } from '../kernel/errors.ts'
import type { Remedy } from '../page/remedies.ts'

/** The rows of the error catalogue for structure files, formulas and space groups. */
export const FORMAT_ERRORS = defineErrors({
  malformed: { code: 42225, title: 'Structure file breaks the rules of its format' },
  unknownFormat: { code: 42226, title: 'Structure file of no known format' },
  disordered: { code: 42227, title: 'Structure with partly occupied or mixed sites' },
  notRepresentable: { code: 42228, title: 'Structure file holds what a material cannot express' },
  overlappingSites: { code: 42229, title: 'Structure with two atoms at one place' },
  unknownSpecies: { code: 42230, title: 'Structure file with an atom of no known element' },
  impossibleCell: { code: 42231, title: 'Structure file with lattice vectors that span no cell' },
  inconsistentCounts: { code: 42232, title: 'Structure file whose counts disagree with its content' },
  unknownSpaceGroup: { code: 42233, title: 'Structure file with an unknown space group or operator' },
  malformedFormula: { code: 42234, title: 'Chemical formula that cannot be read' },
  noStructure: { code: 42235, title: 'Structure file without atoms' },
  notWritable: { code: 42236, title: 'Structure that a format cannot express' },
  notPeriodic: { code: 42237, title: 'Structure that repeats in fewer than three directions' },
  noScatteringFactor: { code: 42238, title: 'Structure with an element whose scattering is not tabulated' },
  tooManyReflections: { code: 42239, title: 'Powder pattern of too many reflections' },
  noSymmetry: { code: 42240, title: 'Structure whose symmetry is not known' },
  tooManyCoordinated: { code: 42246, title: 'Structure of too many different sites to find the neighbours of' },
  notBuildable: { code: 42249, title: 'Step of a build that the structure does not allow' },
  fileTooLarge: { code: 41310, title: 'Structure file too large' },
  tooManyAtoms: { code: 41311, title: 'Structure with too many atoms' },
  tooManyFrames: { code: 41318, title: 'Structure file with too many structures to store them all' },
})

/** Place in a file, and what would work instead. */
export interface SourcePlace {
  /** Counted from 1. */
  readonly line?: number
  /** Counted from 1. */
  readonly column?: number
  /** In a JSON document: `sites[3].abc`. */
  readonly path?: string
  readonly hint?: string
  /** The hint as data, where it is said in other words elsewhere. */
  readonly remedy?: Remedy
}

/** Makes the error of a file that is refused; the message begins with the line when there is one. */
export function refusal(spec: ErrorSpec, message: string, place: SourcePlace = {}): AppError {
  const where = place.line === undefined ? '' : `Line ${place.line}: `
  const advice = place.hint === undefined ? '' : ` ${place.hint}`
  return new AppError(spec, `${where}${message}${advice}`, { ...place })
}

/** Runs what counts the lines of a text that begins at a line of a file: what it refuses is told with the line of the file. */
export function withLinesFrom<Output>(first: number, run: () => Output): Output {
  try {
    return run()
  } catch (error) {
    if (first === 1 || !(error instanceof AppError) || typeof error.data.line !== 'number') throw error
    const line = error.data.line + first - 1
    throw new AppError(error.spec, error.message.replace(/^Line \d+: /, `Line ${line}: `), { ...error.data, line })
  }
}
