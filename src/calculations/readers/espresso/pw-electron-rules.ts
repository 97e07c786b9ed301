import { EV_PER_RYDBERG } from '../../../page/units.ts'
import { contributionName } from './energies.ts'
import { decimalsIn, numberAfter, type PwBlock } from './pw-lines.ts'
import { alsoUnread, once, type Rules } from './pw-rule.ts'
import type { PwState } from './pw-state.ts'

/** Rules for what is computed of electrons. */
export const ELECTRON_RULES: Rules = [
  ['total energy', once((state, text) => withNumber(text, (energy) => state.steps.iteration(energy * EV_PER_RYDBERG)))],
  ['!', once(convergedEnergy)],
  ['The total energy is', (state) => contributionBlock(state)],
  [
    'smearing contrib. (-TS)',
    once((state, text) =>
      withNumber(text, (energy) => state.steps.current.contributions.set('smearing', energy * EV_PER_RYDBERG)),
    ),
  ],
  [
    'internal energy E=F+TS',
    once((state, text) => {
      const [energy] = decimalsIn(text.slice(text.lastIndexOf('='))) ?? []
      if (energy !== undefined) state.remainder.say('internal energy (eV)', energy * EV_PER_RYDBERG)
    }),
  ],
  [
    'total magnetization',
    once((state, text) => (state.steps.current.magnetization = decimalsIn(text.slice(text.indexOf('='))) ?? [])),
  ],
  [
    'absolute magnetization',
    once((state, text) => (state.steps.current.absoluteMagnetization = numberAfter(text) ?? null)),
  ],
  ['Self-consistent Calculation', once((state) => (state.steps.current.moments = []))],
  ['End of self-consistent calculation', once((state) => state.steps.beginLevels())],
  [
    'End of band structure calculation',
    once((state) => {
      state.steps.beginLevels()
      state.isLevelsOnly = true
    }),
  ],
  ['------ SPIN UP', once((state) => state.steps.current.levels.spin(0))],
  ['------ SPIN DOWN', once((state) => state.steps.current.levels.spin(1))],
  ['k =', levelBlock],
  [
    'occupation numbers',
    (state) => {
      state.remainder.count('occupation numbers')
      return (text) => (text === '' || /^[-+.\d* ]+$/.test(text) ? 'more' : 'other')
    },
  ],
  ['the Fermi energy is', once(fermiEnergy)],
  ['the spin up/dw Fermi energies are', once(fermiEnergies)],
  ['highest occupied', once(edges)],
  ['convergence has been achieved', alsoUnread((state) => (state.isElectronsConverged = true))],
  [
    'convergence NOT achieved',
    once((state, text, line) => {
      state.isElectronsConverged = false
      state.unread.message(text, line)
    }),
  ],
]

function withNumber(text: string, take: (number: number) => void): void {
  const number = numberAfter(text)
  if (number !== undefined) take(number)
}

/** The energy behind `!`, or, with exact exchange, behind `!!`. */
function convergedEnergy(state: PwState, text: string, line: number): void {
  if (!/^!+ *total energy/.test(text)) state.unread.take(text.replace(/^!+ */, ''), line)
  else withNumber(text, (energy) => state.steps.converged(energy * EV_PER_RYDBERG))
}

function contributionBlock({ steps }: PwState): PwBlock {
  const { contributions } = steps.current
  let count = 0
  return (text) => {
    if (text === '' && count === 0) return 'more'
    const at = text.indexOf('=')
    const energy = numberAfter(text)
    if (at === -1 || energy === undefined || !text.endsWith('Ry')) return 'other'
    contributions.set(contributionName(text.slice(0, at)), energy * EV_PER_RYDBERG)
    count += 1
    return 'more'
  }
}

function levelBlock({ steps, unread }: PwState, text: string, line: number): PwBlock | null {
  if (!text.includes('bands (ev)') && !text.includes('band energies (ev)')) {
    unread.take(text, line)
    return null
  }
  const { levels } = steps.current
  levels.point(text)
  return (row) => (row === '' || levels.row(row) ? 'more' : 'other')
}

function fermiEnergy({ steps }: PwState, text: string): void {
  const [energy] = decimalsIn(text) ?? []
  if (energy === undefined) return
  steps.current.fermi = energy
  steps.current.levels.filled = [energy]
}

function fermiEnergies({ steps }: PwState, text: string): void {
  const [up, down] = decimalsIn(text) ?? []
  if (up === undefined || down === undefined) return
  steps.current.levels.filled = [up, down]
  steps.current.edges.set('Fermi energy of spin up', up).set('Fermi energy of spin down', down)
}

/** An insulator: there is no one Fermi energy, which may be anywhere in the gap. */
function edges({ steps }: PwState, text: string): void {
  const [highest, lowest] = decimalsIn(text) ?? []
  if (highest === undefined) return
  steps.current.levels.filled = [highest]
  steps.current.edges.set('highest occupied level', highest)
  if (lowest !== undefined) steps.current.edges.set('lowest unoccupied level', lowest)
}
