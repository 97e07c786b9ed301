import { FORMAT_ERRORS, refusal } from '../../../structure/errors.ts'
import { readCount } from '../../../structure/formats/common/text.ts'
import { matrixBlock, speciesBlock } from './pw-head.ts'
import { numberAfter, type PwBlock, rows } from './pw-lines.ts'
import { IGNORED, once, type Rules } from './pw-rule.ts'
import type { PwState } from './pw-state.ts'
import { positionRow, siteRow } from './pw-structure.ts'

/** Rules for cells and atoms. */
export const STRUCTURE_RULES: Rules = [
  ['lattice parameter (alat)', once((state, text) => setAlat(state, text))],
  ['lattice parameter (a_0)', once((state, text) => setAlat(state, text))],
  ['celldm(1)=', once((state, text) => setAlat(state, text))],
  ['celldm(4)=', IGNORED],
  ['crystal axes:', (state) => matrixBlock((axes) => state.structure.setAxes(axes))],
  ['reciprocal axes:', () => matrixBlock(() => {})],
  ['number of atoms/cell', once(countAtoms)],
  [
    'atomic species',
    (state, text, line) => {
      if (text.includes('valence'))
        return speciesBlock(({ label, element, valence }) => {
          state.structure.elements.set(label, element)
          state.structure.valences.set(label, valence)
        })
      state.unread.take(text, line)
      return null
    },
  ],
  ['site n.', siteBlock],
  [
    'CELL_PARAMETERS',
    (state, text) => matrixBlock((vectors) => state.structure.setCell(vectors, text.slice('CELL_PARAMETERS'.length))),
  ],
  ['ATOMIC_POSITIONS', positionBlock],
  ['Begin final coordinates', once((state) => (state.isFinal = true))],
  ['End final coordinates', once((state) => (state.isFinal = false))],
  ['Final scf calculation at the relaxed', once(repeat)],
  ['A final scf calculation at the relaxed', once(repeat)],
]

function setAlat({ structure }: PwState, text: string): void {
  const bohr = numberAfter(text)
  if (bohr !== undefined) structure.setAlat(bohr)
}

function countAtoms({ structure, limits }: PwState, text: string, line: number): void {
  const count = readCount(text.slice(text.indexOf('=') + 1).trim()) ?? 0
  if (count > limits.atoms) {
    const message = `The structure has ${count} atoms; at most ${limits.atoms} can be stored.`
    throw refusal(FORMAT_ERRORS.tooManyAtoms, message, { line })
  }
  structure.count = count
}

function siteBlock(state: PwState, text: string, line: number): PwBlock | null {
  const { structure, steps } = state
  if (structure.count === 0) return null
  return rows(structure.count, siteRow, (atoms) => {
    // What follows repeats the same atoms, as fractions or with fewer decimals than cards have.
    if (state.initial !== null) return
    state.initial = structure.atomsOf(atoms, text, line + 1)
    steps.begin(state.initial)
  })
}

function positionBlock(state: PwState, text: string, line: number): PwBlock | null {
  const { structure, steps } = state
  if (structure.count === 0) return null
  return rows(structure.count, positionRow, (listed) => {
    const atoms = structure.atomsOf(listed, text, line + 1)
    if (state.isFinal) state.relaxed = atoms
    else {
      state.isMoved = true
      steps.begin(atoms)
    }
  })
}

/** The last scf of a relaxation of the cell, for which plane waves are chosen anew. */
function repeat({ steps, relaxed }: PwState): void {
  steps.begin(relaxed ?? steps.current.atoms, true)
}
