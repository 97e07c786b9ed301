import { shorten } from '../../../structure/formats/common/text.ts'
import { nextLine, numberAfter } from './pw-lines.ts'
import { alsoUnread, IGNORED, once, type Rules } from './pw-rule.ts'
import type { PwState } from './pw-state.ts'
import { durationsIn, startIn } from './pw-times.ts'

/** Rules for lines that tell of the run and of how electrons are described. */
export const HEAD_RULES: Rules = [
  [
    'Program PWSCF',
    once((state, text) => {
      state.version = /\bv\. *(\S+)/.exec(text)?.[1] ?? null
      state.times = { ...state.times, ...startIn(text) }
    }),
  ],
  ['Title:', (state) => nextLine((title) => (state.structure.title = shorten(title, 200)))],
  ['kinetic-energy cutoff', once((state, text) => state.head.setCutoff(text))],
  ['Exchange-correlation', (state, text) => state.head.setFunctional(text)],
  ['PseudoPot. #', (state, text) => state.head.addPotential(text)],
  ['Pseudo is', alsoUnread((state, text) => state.head.setKind(text))],
  ['number of electrons', alsoUnread((state, text) => (state.head.electrons = numberAfter(text) ?? null))],
  ['Noncollinear calculation', alsoUnread((state) => (state.head.isNoncollinear = true))],
  ['Non magnetic calculation with spin-orbit', alsoUnread((state) => (state.head.isNoncollinear = true))],
  ['Simplified ', alsoUnread(hubbard)],
  ['Full ', alsoUnread(hubbard)],
  ['Hubbard projectors', alsoUnread((state) => (state.head.hasHubbardU = true))],
  ['DFT+U', alsoUnread(hubbard)],
  ['LDA+U', alsoUnread(hubbard)],
  ['number of k points=', once((state, text) => state.head.setPoints(text))],
  ['Number of k-points >=', IGNORED],
  [
    'cart. coord. in units 2pi/',
    (state) => state.head.pointBlock('cartesian', state.structure.axes, mostPoints(state)),
  ],
  ['cryst. coord.', (state) => state.head.pointBlock('crystal', state.structure.axes, mostPoints(state))],
  ['PWSCF', once((state, text) => (state.times = { ...state.times, ...durationsIn(text) }))],
  ['JOB DONE', once((state) => (state.isWhole = true))],
  [
    'Message from routine',
    (state, text, line) =>
      nextLine((message) => state.unread.message(`${text.slice('Message from routine '.length)} ${message}`, line + 1)),
  ],
  ['Error in routine', (state, text, line) => nextLine((message) => state.unread.message(`${text} ${message}`, line))],
]

function hubbard(state: PwState, text: string): void {
  if (text.includes('+U')) state.head.hasHubbardU = true
}

function mostPoints({ limits }: PwState): number {
  return limits.numbers / 3
}
