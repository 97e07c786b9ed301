import { isJsonObject, type JsonObject } from '../../../kernel/json.ts'
import type { Crystal, StructureWarning } from '../../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import { settleRest } from '../../../structure/formats/common/rest.ts'
import { readCount, shorten } from '../../../structure/formats/common/text.ts'
import { ANGSTROM_PER_BOHR } from '../../../structure/lattice.ts'
import { type Matrix3, mapMatrix } from '../../../structure/linear-algebra.ts'
import type { Calculation, Method, Model, OutputLimits, Result, Times } from '../../calculation.ts'
import { fittingResults, type Remainder, sayAll } from '../../remainder.ts'
import { EV_PER_HARTREE } from '../../units.ts'
import { crystalOfOutput, type OutputAtoms, type Species } from './atoms.ts'
import { bandGaps, bandStructure } from './bands.ts'
import { modelNamed } from './functional.ts'
import { atomsIn, withFreedom } from './xml-atoms.ts'
import type { Filling, XmlBands } from './xml-bands.ts'
import { energyResults, forceResults, magneticResults, stressResults } from './xml-results.ts'
import { potentialsIn, type XmlSpecies } from './xml-species.ts'
import type { XmlSteps } from './xml-steps.ts'
import type { XmlElement } from './xml-tree.ts'

/** What was read of a document while it came. */
export interface XmlParts {
  readonly isWhole: boolean
  readonly bands: XmlBands
  readonly steps: XmlSteps
  readonly remainder: Remainder
  readonly limits: OutputLimits
}

/** Calculations that compute levels in a potential that is given, and no energies. */
const WITHOUT_ENERGY = new Set(['nscf', 'bands'])

/** Makes the calculation of a document. */
export function calculationOf(root: XmlElement, parts: XmlParts): Calculation {
  requireHartree(root)
  const { remainder, limits, isWhole, steps } = parts
  const warnings: StructureWarning[] = []
  if (!isWhole) {
    const message = 'The file ends before its end: what is there is read.'
    warnings.push({ code: 'output-truncated', message })
  }
  const output = root.peek('output')
  const kind = root.peek('input', 'control_variables', 'calculation')?.text.trim() ?? ''
  const species = potentialsIn(output?.peek('atomic_species') ?? root.peek('input', 'atomic_species'))
  const alat = Number(output?.peek('atomic_structure')?.attributes.get('alat'))
  const structures = structuresOf(root, parts)
  const [initial, final] = crystalsOf(structures, { title: titleOf(root), elements: species.elements }, limits)
  const step = structures.isOfStep ? steps : { terms: null, forces: null }
  const results = [
    ...(WITHOUT_ENERGY.has(kind) ? [] : energyResults(output, step)),
    ...forceResults(output, step, final?.sites.length ?? 0),
    ...stressOf(output, kind, warnings),
    ...magneticResults(output, final?.sites.length ?? 0),
    ...bandResults(output, { kind, alat, lattice: structures.final?.lattice, parts, warnings }),
    ...steps.convergence,
  ]
  const model = modelOf(output ?? root.peek('input'), warnings)
  const method = methodOf(root, { species, parts, sites: final?.sites.length ?? 0 })
  const calculation = {
    code: { name: 'espresso', version: versionOf(root) },
    initial,
    final,
    model,
    method,
    inputs: inputsOf(root, remainder, final),
    times: timesOf(root),
    isWhole,
    isConverged: WITHOUT_ENERGY.has(kind) ? null : convergenceOf(output),
    results: fittingResults(results, limits, remainder),
  }
  const said = root.toJson()
  if (isJsonObject(said)) sayAll(remainder, said)
  return { ...calculation, rest: remainder.rest(final?.sites.length ?? 0), warnings }
}

function requireHartree(root: XmlElement): void {
  const units = root.takeAttribute('Units') ?? ''
  if (units === '' || /^hartree atomic units$/i.test(units.trim())) return
  const message = `The file is in the units "${shorten(units)}", not in Hartree atomic units.`
  throw refusal(FORMAT_ERRORS.notRepresentable, message, { line: root.line })
}

function versionOf(root: XmlElement): string | null {
  const creator = root.peek('general_info', 'creator')
  const version = creator?.takeAttribute('VERSION') ?? null
  if (creator?.attributes.get('NAME') === 'PWSCF') root.take('general_info', 'creator')
  return version
}

function titleOf(root: XmlElement): string {
  return root.peek('input', 'control_variables', 'title')?.text.trim() ?? ''
}

interface Structures {
  readonly initial: OutputAtoms | null
  readonly final: OutputAtoms | null
  /** Whether the last is that of a step, and the output has another. */
  readonly isOfStep: boolean
}

/** The structures at the beginning, and where the last results are from: programs that end after a number of steps give the places of the next one beside. */
function structuresOf(root: XmlElement, { steps, remainder }: XmlParts): Structures {
  const free = root.takeText('input', 'free_positions')
  const given = atomsIn(root.peek('input')?.take('atomic_structure'))
  const output = root.peek('output')
  const energy = output?.peek('total_energy', 'etot')?.text.trim()
  const reached = atomsIn(output?.take('atomic_structure'))
  const isOfStep = steps.last !== null && (reached === null || Number(energy) === steps.terms.get('etot'))
  if (isOfStep && reached !== null && steps.last !== null && !isSame(reached, steps.last)) {
    remainder.leaveOut(`places of the next step (${reached.atoms.length} × 3)`)
  }
  const final = isOfStep ? steps.last : reached
  const initial = given ?? steps.first ?? final
  const freed = (atoms: OutputAtoms | null): OutputAtoms | null => (atoms === null ? null : withFreedom(atoms, free))
  const isOne = initial !== null && final !== null && isSame(initial, final)
  const last = freed(final)
  return { initial: isOne ? last : freed(initial), final: last, isOfStep }
}

/** Å by which structures differ that are one. */
const SAME_ANGSTROM = 1e-8

function isSame(one: OutputAtoms, other: OutputAtoms): boolean {
  const numbers = ({ lattice, atoms }: OutputAtoms): readonly number[] => [
    ...lattice.flat(),
    ...atoms.flatMap(({ place }) => place),
  ]
  const others = numbers(other)
  return (
    one.isFraction === other.isFraction &&
    one.atoms.length === other.atoms.length &&
    numbers(one).every((value, index) => Math.abs(value - (others[index] ?? 0)) < SAME_ANGSTROM)
  )
}

function crystalsOf(
  { initial, final }: Structures,
  species: Species,
  limits: OutputLimits,
): readonly [Crystal | null, Crystal | null] {
  const last = final === null ? null : crystalOfOutput(final, species, limits)
  if (initial === final) return [last, last]
  return [initial === null ? null : crystalOfOutput(initial, species, limits), last]
}

/** In molecular dynamics of the cell, pw.x leaves its stress multiplied by the volume, with another sign. */
function stressOf(output: XmlElement | undefined, kind: string, warnings: StructureWarning[]): readonly Result[] {
  if (kind !== 'vc-md') return stressResults(output)
  if (output?.peek('stress') !== undefined) {
    const message = 'The stress of a vc-md is not in the unit of the file: it is left out.'
    warnings.push({ code: 'stress-not-read', message })
  }
  return []
}

interface BandsContext {
  readonly kind: string
  readonly alat: number
  readonly lattice: Matrix3 | undefined
  readonly parts: XmlParts
  readonly warnings: StructureWarning[]
}

/** Fermi energy, gaps, and energies along a line. */
function bandResults(output: XmlElement | undefined, context: BandsContext): readonly Result[] {
  const structure = output?.peek('band_structure')
  if (structure === undefined) return []
  const { bands: points, remainder } = context.parts
  const occupations = structure.peek('occupations_kind')?.text.trim() ?? ''
  // With fixed occupations the file has a Fermi energy too, which nothing has computed.
  const isFilled = occupations === 'fixed' || occupations === 'from_input'
  const fermi = isFilled ? undefined : structure.takeNumber('fermi_energy')
  const results: Result[] =
    fermi === undefined ? [] : [{ name: 'fermi_energy', data: { value: fermi * EV_PER_HARTREE, units: 'eV' } }]
  const up = readCount(structure.takeText('nbnd_up'))
  structure.take('nbnd_dw')
  const filling = isFilled ? 'given' : fillingOf(structure, fermi)
  const { lattice, alat } = context
  const isKnown = lattice !== undefined && alat > 0
  const perAlat = isKnown ? mapMatrix(lattice, (entry) => entry / (alat * ANGSTROM_PER_BOHR)) : null
  const bands = perAlat === null || points.count === 0 ? null : points.bands(perAlat, up ?? null, filling)
  if (bands === null) {
    if (points.isBroken) {
      const message = 'The levels at a k-point are not whole: they are left out.'
      context.warnings.push({ code: 'bands-not-read', message })
    }
    remainder.leaveOut(`eigenvalues (${points.count} × ${points.levels})`)
    return results
  }
  const gaps = bandGaps(bands)
  if (gaps !== null) results.push(gaps)
  const line = context.kind === 'bands' ? bandStructure(bands) : null
  if (line !== null) results.push(line)
  else {
    remainder.leaveOut(`k-points (${points.count} × 3)`)
    remainder.leaveOut(`eigenvalues (${points.count} × ${points.levels})`)
  }
  remainder.leaveOut(`occupations (${points.count} × ${points.levels})`)
  remainder.leaveOut(`numbers of plane waves and weights of k-points (${points.count} × 2)`)
  return results
}

function fillingOf(structure: XmlElement, fermi: number | undefined): Filling {
  const [up, down] = (structure.peek('two_fermi_energies')?.text.trim().split(/\s+/) ?? []).map(Number)
  const levels = up === undefined || down === undefined ? [fermi] : [up, down]
  const known = levels.filter((level) => level !== undefined && Number.isFinite(level))
  return known.length === 0 ? 'given' : known.map((level) => (level ?? 0) * EV_PER_HARTREE)
}

function modelOf(section: XmlElement | undefined, warnings: StructureWarning[]): Model | null {
  const name = section?.peek('dft', 'functional')?.text.trim()
  if (name === undefined) return null
  const hasHubbardU = section?.peek('dft', 'dftU', 'Hubbard_U') !== undefined
  const model = modelNamed(name, [], hasHubbardU)
  if (model !== null) section?.take('dft', 'functional')
  else {
    const message = `The functional "${shorten(name)}" is not known.`
    warnings.push({ code: 'functional-unknown', message })
  }
  return model
}

interface MethodContext {
  readonly species: XmlSpecies
  readonly parts: XmlParts
  readonly sites: number
}

function methodOf(root: XmlElement, { species, parts, sites }: MethodContext): Method | null {
  const output = root.peek('output')
  const algorithms = output?.peek('algorithmic_info')
  if (algorithms === undefined) return null
  const [isPaw, isUltraSoft] = ['paw', 'uspp'].map((name) => algorithms.takeText(name) === 'true')
  const cutoff = output?.takeNumber('basis_set', 'ecutwfc')
  const structure = output?.peek('band_structure')
  const grid = gridOf(structure?.peek('starting_k_points', 'monkhorst_pack'))
  const kpoints = readCount(structure?.takeText('nks')) ?? parts.bands.count
  const width = Number(structure?.peek('smearing')?.takeAttribute('degauss'))
  return {
    type: 'pseudopotential',
    subtype: isPaw ? 'paw' : isUltraSoft ? 'ultra-soft' : 'norm-conserving',
    precision: {
      ...(grid === null ? {} : { kgrid: grid, kppra: grid[0] * grid[1] * grid[2] * sites }),
      ...(kpoints > 0 ? { kpoints } : {}),
      ...(cutoff === undefined ? {} : { cutoff: cutoff * EV_PER_HARTREE }),
      ...(Number.isFinite(width) ? { smearing: width * EV_PER_HARTREE } : {}),
    },
    potentials: species.potentials,
  }
}

function gridOf(pack: XmlElement | undefined): readonly [number, number, number] | null {
  const [a, b, c] = ['nk1', 'nk2', 'nk3'].map((name) => readCount(pack?.attributes.get(name)))
  if (pack === undefined || a === undefined || b === undefined || c === undefined || a * b * c === 0) return null
  for (const name of ['nk1', 'nk2', 'nk3']) pack.takeAttribute(name)
  return [a, b, c]
}

/** The input by its sections, in the units of the file; what is large is named in the rest. */
function inputsOf(root: XmlElement, remainder: Remainder, crystal: Crystal | null): JsonObject {
  const input = root.take('input')?.toJson()
  if (input === undefined || !isJsonObject(input)) return {}
  const { values, leftOut } = settleRest({ values: input, leftOut: [] }, crystal?.sites.length ?? 0)
  for (const name of leftOut) remainder.leaveOut(`input.${name}`)
  return values
}

function timesOf(root: XmlElement): Times {
  const total = root.peek('timing_info', 'total')
  const [cpu, wall] = [total?.takeNumber('cpu'), total?.takeNumber('wall')]
  if (wall !== undefined) root.take('timing_info', 'total')
  return {
    ...(wall === undefined ? {} : { wallSeconds: wall }),
    ...(cpu === undefined ? {} : { cpuSeconds: cpu }),
  }
}

function convergenceOf(output: XmlElement | undefined): boolean | null {
  const said = ['scf_conv', 'opt_conv'].map((name) =>
    output?.takeText('convergence_info', name, 'convergence_achieved'),
  )
  if (said.includes('false')) return false
  return said.includes('true') ? true : null
}
