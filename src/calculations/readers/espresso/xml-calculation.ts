import { isJsonObject, type JsonObject } from '../../../kernel/json.ts'
import { EV_PER_HARTREE } from '../../../page/units.ts'
import type { Crystal, StructureWarning } from '../../../structure/crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import { settleRest } from '../../../structure/formats/common/rest.ts'
import { readCount, shorten } from '../../../structure/formats/common/text.ts'
import { ANGSTROM_PER_BOHR } from '../../../structure/lattice.ts'
import { type Matrix3, mapMatrix } from '../../../structure/linear-algebra.ts'
import type { Calculation, Model, Result, Times } from '../../calculation.ts'
import { fittingResults, type Remainder, sayAll } from '../../remainder.ts'
import { bandGaps, bandStructure } from './bands.ts'
import { conditionsOf, IN_A_GIVEN_POTENTIAL } from './conditions.ts'
import { modelNamed } from './functional.ts'
import type { Filling } from './xml-bands.ts'
import { methodOf } from './xml-method.ts'
import type { XmlParts } from './xml-parts.ts'
import { energyResults, forceResults, magneticResults, stressResults } from './xml-results.ts'
import { potentialsIn } from './xml-species.ts'
import { crystalsOf, structuresOf } from './xml-structures.ts'
import type { XmlElement } from './xml-tree.ts'

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
  const conditions = {
    ...conditionsOf(kind, Number(root.peek('input', 'bands', 'tot_charge')?.text ?? 0)),
    areElectronsLeft: output?.peek('convergence_info', 'scf_conv', 'convergence_achieved')?.text.trim() === 'false',
  }
  const step = structures.isOfStep ? steps : { terms: null, forces: null }
  const results = [
    ...(IN_A_GIVEN_POTENTIAL.has(kind) ? [] : energyResults(output, step)),
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
    isConverged: IN_A_GIVEN_POTENTIAL.has(kind) ? null : convergenceOf(output),
    conditions,
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
