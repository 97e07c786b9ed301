import { documentMaker } from '../../bench/corpus/documents.ts'
import { readPrototypes } from '../../bench/corpus/prototypes.ts'
import { type Random, randomOf } from '../../bench/corpus/random.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { materialToCrystal } from '../../src/structure/formats/json/material.ts'
import { printStructure } from '../../src/structure/formats/read-structure.ts'
import type { CellParameters } from '../../src/structure/lattice.ts'

/** What a screening study has: crystals as they are published, relaxed ones, and those that have lost their symmetry. */
export interface StructureMaker {
  /** A material as a client would send it. */
  readonly material: (serial: number) => JsonObject
  /** The same as a POSCAR file. */
  readonly poscar: (serial: number) => string
}

/** How far atoms are moved, in ångström, and how much axes are strained and angles turned, in parts and degrees. */
interface Disorder {
  readonly shift: number
  readonly strain: number
  readonly turn: number
}

/** What is left of the noise when forces have become small. */
const RELAXED: Disorder = { shift: 5e-4, strain: 2e-5, turn: 5e-4 }
const LOW_SYMMETRY: Disorder = { shift: 0.08, strain: 0.01, turn: 0.8 }

/** Makes structures by their serial numbers; half of them are ideal, supercells and vacancies among them. */
export function structureMaker(seed: number): StructureMaker {
  const { body } = documentMaker({ seed, prototypes: readPrototypes() })
  const material = (serial: number): JsonObject => {
    const random = randomOf(seed + 1, serial)
    if (serial % 4 === 2) return disordered(body(serial), RELAXED, random)
    if (serial % 4 === 3) return disordered(body(serial), LOW_SYMMETRY, random)
    return body(serial)
  }
  return { material, poscar: (serial) => printStructure(materialToCrystal(material(serial)), 'poscar') }
}

function disordered(material: JsonObject, { shift, strain, turn }: Disorder, random: Random): JsonObject {
  const around = (size: number) => size * (2 * random.next() - 1)
  const { a, b, c, alpha, beta, gamma } = material.lattice as unknown as CellParameters
  const basis = material.basis as JsonObject & { readonly coordinates: readonly { id: number; value: number[] }[] }
  const coordinates = basis.coordinates.map(({ id, value: [x = 0, y = 0, z = 0] }) => ({
    id,
    value: [x + around(shift) / a, y + around(shift) / b, z + around(shift) / c],
  }))
  const lattice = {
    a: a * (1 + around(strain)),
    b: b * (1 + around(strain)),
    c: c * (1 + around(strain)),
    alpha: alpha + around(turn),
    beta: beta + around(turn),
    gamma: gamma + around(turn),
  }
  return { ...material, basis: { ...basis, coordinates }, lattice }
}
