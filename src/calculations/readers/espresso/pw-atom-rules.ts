import { EV_PER_RYDBERG, KBAR_PER_EV_PER_ANGSTROM3 } from '../../../page/units.ts'
import { readCount } from '../../../structure/formats/common/text.ts'
import { ANGSTROM_PER_BOHR } from '../../../structure/lattice.ts'
import { type Matrix3, mapMatrix, scale } from '../../../structure/linear-algebra.ts'
import { decimalsIn, type PwBlock, rows, threeIn } from './pw-lines.ts'
import { alsoUnread, once, type Rules } from './pw-rule.ts'
import type { PwState } from './pw-state.ts'

const EV_PER_ANGSTROM = EV_PER_RYDBERG / ANGSTROM_PER_BOHR
const KBAR = (EV_PER_RYDBERG / ANGSTROM_PER_BOHR ** 3) * KBAR_PER_EV_PER_ANGSTROM3

/** Rules for what is computed of atoms. */
export const ATOM_RULES: Rules = [
  [
    'Forces acting on atoms',
    once((state) => {
      state.forces = []
      state.steps.current.forces = null
    }),
  ],
  ['atom', once(atomLine)],
  ['magnetization :', once(atomMagnetization)],
  [
    'Total force =',
    once(({ steps, remainder }, text) => {
      const [total, correction] = decimalsIn(text) ?? []
      if (total !== undefined) steps.current.totalForce = total * EV_PER_ANGSTROM
      if (correction !== undefined) remainder.say('Total SCF correction', correction)
    }),
  ],
  ['total   stress', stressBlock],
  ['bfgs converged', alsoUnread((state) => (state.isAtomsConverged = true))],
  ['bfgs failed', alsoUnread((state) => (state.isAtomsConverged = false))],
  ['Damped Dynamics: convergence achieved', alsoUnread((state) => (state.isAtomsConverged = true))],
  [
    'The maximum number of steps has been reached',
    once((state, text, line) => {
      state.unread.message(text, line)
      if (!state.isMolecularDynamics) state.isAtomsConverged = false
    }),
  ],
  ['Molecular Dynamics Calculation', once((state) => (state.isMolecularDynamics = true))],
  ['Entering Dynamics', alsoUnread((state) => (state.isMolecularDynamics = true))],
]

const FORCE = /^atom +\d+ +type +\d+ +force =/
const MOMENT = /\bmagn *[:=]/

function atomLine(state: PwState, text: string, line: number): void {
  if (FORCE.test(text)) force(state, text)
  else if (text.startsWith('atom number')) state.atom = (readCount(/\d+/.exec(text)?.[0]) ?? 0) - 1
  else if (MOMENT.test(text)) moment(state, text)
  else state.unread.take(text, line)
}

/** The force on an atom; below other headings stand the parts that it is made of. */
function force(state: PwState, text: string): void {
  const { forces, structure, steps, unread } = state
  if (forces === null) {
    unread.countBelowHeading('forces')
    return
  }
  const vector = threeIn(text.slice(text.indexOf('=')))
  if (vector === null) {
    state.forces = null
    unread.message(`${text}: the force is no number`, 0)
    return
  }
  forces.push(scale(vector, EV_PER_ANGSTROM))
  if (forces.length < structure.count) return
  steps.current.forces = forces
  state.forces = null
}

/** `atom:    1    charge:    6.5022    magn:    1.2977    constr:    0.0000`, and since version 7 `atom   1 (R=0.357)  charge=  6.5022  magn=  1.2977`. */
function moment({ steps, structure, unread }: PwState, text: string): void {
  const index = (readCount(/\d+/.exec(text)?.[0]) ?? 0) - 1
  const [value] = decimalsIn(text.slice(text.search(MOMENT))) ?? []
  if (value !== undefined && index >= 0 && index < structure.count) steps.current.moments[index] = value
  unread.countBelowHeading('charges')
}

/** The moment of an atom of which the directions are free, below the line that names the atom. */
function atomMagnetization({ steps, structure, atom }: PwState, text: string): void {
  const vector = threeIn(text)
  if (vector !== null && atom >= 0 && atom < structure.count) steps.current.moments[atom] = vector
}

/** Rows of the stress in Ry/bohr³, and once more in kbar with fewer decimals. */
function stressBlock({ steps }: PwState, text: string): PwBlock {
  const [pressure] = decimalsIn(text.slice(text.indexOf('P='))) ?? []
  const step = steps.current
  if (pressure !== undefined) step.pressure = pressure
  return rows(3, threeIn, ([a, b, c]) => {
    if (a === undefined || b === undefined || c === undefined) return
    const rydberg: Matrix3 = [a, b, c]
    step.stress = mapMatrix(rydberg, (entry) => entry * KBAR)
  })
}
