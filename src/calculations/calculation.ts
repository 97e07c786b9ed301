import type { Json, JsonObject } from '../kernel/json.ts'
import type { Crystal, Rest, StructureWarning } from '../structure/crystal.ts'

/** Program that made an output. */
export interface Code {
  /** In small letters: `vasp`, `espresso`, `ase`. */
  readonly name: string
  /** As the program writes it; null where the output does not say. */
  readonly version: string | null
}

/** Approximation to the energy of electrons, in the words of property groups: `dft`, `gga`, `pbe`. */
export interface Model {
  readonly type: string
  readonly subtype: string
  readonly functional: string
}

/** Numerical method: how electrons are described, and how exactly. */
export interface Method {
  /** `pseudopotential`, or what else. */
  readonly type: string
  /** `paw`, `ultra-soft`, `norm-conserving`. */
  readonly subtype: string
  readonly precision: Precision
  /** Potentials, in the order of the species. */
  readonly potentials: readonly Potential[]
}

/** How exactly something was computed; what an output does not say is left out. */
export interface Precision {
  /** Divisions of the reciprocal lattice vectors. */
  readonly kgrid?: readonly [number, number, number]
  /** Number of k-points that were computed. */
  readonly kpoints?: number
  /** Number of k-points in the whole zone times the number of atoms. */
  readonly kppra?: number
  /** Cutoff of plane waves, in eV. */
  readonly cutoff?: number
  /** Width of the smearing, in eV. */
  readonly smearing?: number
}

export interface Potential {
  readonly element: string
  /** As the program writes it: `PAW_PBE Si 05Jan2001`, `Si.pbe-n-rrkjus_psl.1.0.0.UPF`. */
  readonly title: string
}

/** A result, by its name, with the fields that its form has; numbers in the unit of the name (`PROPERTY_NAMES`). */
export interface Result {
  readonly name: string
  readonly data: JsonObject
  /** Name of the output that says it. */
  readonly file?: string
  /** Reason why it is not to be compared with those of other calculations. */
  readonly caveat?: string
}

/** Times of a run, as far as its output says them. */
export interface Times {
  /** ISO 8601; without an offset, since outputs have none. */
  readonly startedAt?: string
  readonly wallSeconds?: number
  readonly cpuSeconds?: number
}

/** Conditions under which results are others than those of a neutral structure that is left to itself. */
export interface Conditions {
  /** Atoms move by dynamics. */
  readonly isDynamics?: boolean
  /** The density of electrons was given, and kept. */
  readonly isDensityFixed?: boolean
  /** Whether the electrons of the last step did not converge. */
  readonly areElectronsLeft?: boolean
  /** In e, positive where electrons are missing. */
  readonly charge?: number
}

/** All that the output of one calculation says. Lengths are in Å. */
export interface Calculation {
  readonly code: Code
  /** How the sender, or a database, calls it: `mp-149`, a UUID. */
  readonly id?: string
  /** The ids of the calculations and structures that it was made from. */
  readonly madeFrom?: readonly string[]
  /** The structure at its beginning, and at its end. The same one where nothing has moved. */
  readonly initial: Crystal | null
  readonly final: Crystal | null
  readonly model: Model | null
  readonly method: Method | null
  /** Input of the program by its files or sections, as JSON: `{ INCAR: { ENCUT: 500 } }`. */
  readonly inputs: JsonObject
  readonly times: Times
  /** Whether the output has its end. */
  readonly isWhole: boolean
  /** Whether the program says that it has converged; null where it does not say. */
  readonly isConverged: boolean | null
  /** As far as the output says them. */
  readonly conditions?: Conditions
  readonly results: readonly Result[]
  /** What the output says beside, and no reader has used. */
  readonly rest: Rest
  readonly warnings: readonly StructureWarning[]
}

/** Bounds on what is kept of one output, in memory and in records. */
export interface OutputLimits {
  readonly atoms: number
  /** Numbers in all results together; what has more is named in the rest. */
  readonly numbers: number
  /** Calculations of one file. */
  readonly calculations: number
}

export const DEFAULT_OUTPUT_LIMITS: OutputLimits = { atoms: 10_000, numbers: 1_000_000, calculations: 100_000 }

/** Reads one output as its text comes, piece by piece; refuses what is none with an error of `structure/errors`. Keeps no text that it has read. */
export interface OutputReader {
  /** Takes the next piece; pieces end anywhere but within a character. */
  write(text: string): void
  /** Takes the end. A file of several calculations gives several, in its order. */
  end(): readonly Calculation[]
}

/** An output that is in one file as a whole: a database, an archive. Nothing is written beside it. */
export interface StoredOutput {
  /** Where the file is; it is opened for reading only. */
  readonly path: string
  /** A folder for what has to be unpacked, which whoever calls makes and removes. */
  readonly workFolder: string
}

/** A kind of output of simulation codes: how to tell it and how to read it. */
export interface OutputFormat {
  /** By which clients name it. */
  readonly name: string
  /** Name for people. */
  readonly title: string
  /** Names of files, without folders and without `.gz`. */
  readonly fileNames: RegExp
  /** Tells by the first 64 KiB, as text, whether a file may be of this format; never throws. */
  readonly recognizes: (head: string) => boolean
  readonly source:
    | { readonly kind: 'text'; readonly open: (limits: OutputLimits) => OutputReader }
    | {
        readonly kind: 'file'
        readonly read: (output: StoredOutput, limits: OutputLimits) => AsyncIterable<Calculation>
      }
}

/** A result of one number. */
export function scalar(name: string, value: number, units: string): Result {
  return { name, data: { value, units } }
}

/** Numbers or vectors of sites, in their order. */
export function ofSites(name: string, values: readonly Json[], units: string): Result {
  return { name, data: { values: values.map((value, id) => ({ id, value })), units } }
}
