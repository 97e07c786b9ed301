import { type JsonObject, ownField } from '../../../kernel/json.ts'
import type { Method, Potential, Precision } from '../../calculation.ts'
import type { KPoints } from './k-points.ts'
import { subtypeOfTitle } from './potcar.ts'

/** Reads how electrons were described; null without potentials. */
export function methodOf(
  {
    parameters,
    kPoints,
    atoms,
  }: { readonly parameters: JsonObject; readonly kPoints: KPoints | null; readonly atoms: number },
  potentials: readonly Potential[],
): Method | null {
  const kinds = new Set(potentials.map(({ title }) => subtypeOfTitle(title)))
  const [subtype] = kinds
  if (kinds.size !== 1 || subtype === undefined || subtype === null) return null
  const grid = kPoints?.grid
  const points = kPoints?.points.length ?? 0
  const precision: Precision = {
    ...(grid === undefined ? {} : { kgrid: grid, kppra: grid[0] * grid[1] * grid[2] * atoms }),
    ...(points === 0 ? {} : { kpoints: points }),
    ...precisionOf(parameters),
  }
  return { type: 'pseudopotential', subtype, precision, potentials }
}

/** Smearings below this are of tetrahedra, which have no width (VASP Wiki, ISMEAR); so have fixed occupations, -2. */
const LEAST_WITH_WIDTH = -1

function precisionOf(parameters: JsonObject): Precision {
  const numberOf = (name: string): number | undefined => {
    const value = ownField(parameters, name)
    return typeof value === 'number' ? value : undefined
  }
  const [cutoff, way, width] = [numberOf('ENMAX') ?? numberOf('ENCUT'), numberOf('ISMEAR'), numberOf('SIGMA')]
  return {
    ...(cutoff === undefined ? {} : { cutoff }),
    ...(width === undefined || way === undefined || way < LEAST_WITH_WIDTH ? {} : { smearing: width }),
  }
}
