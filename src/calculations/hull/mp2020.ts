import { findElement } from '../../structure/elements/element.ts'

/*
 * Corrections of the Materials Project to energies of GGA and GGA+U, in eV for each atom of the element: A. Wang et al., Sci. Rep. 11, 15496 (2021),
 * with the mixing of GGA and GGA+U by A. Jain et al., Phys. Rev. B 84, 045115 (2011).
 */

/** Corrections of anions; that of oxygen follows from the kind of oxide. */
const ANIONS: Readonly<Record<string, number>> = {
  S: -0.503,
  F: -0.462,
  Cl: -0.614,
  Br: -0.534,
  I: -0.379,
  N: -0.361,
  Se: -0.472,
  Si: 0.071,
  Sb: -0.192,
  Te: -0.422,
  H: -0.179,
}

const OXIDES: Readonly<Record<string, number>> = {
  oxide: -0.687,
  hydroxide: -0.687,
  peroxide: -0.465,
  superoxide: -0.161,
  ozonide: 0,
}

/** Metals that are computed with U (in eV) in oxides and fluorides, and their corrections there. */
const METALS_WITH_U: Readonly<Record<string, { readonly u: number; readonly correction: number }>> = {
  V: { u: 3.25, correction: -1.7 },
  Cr: { u: 3.7, correction: -1.999 },
  Mn: { u: 3.9, correction: -1.668 },
  Fe: { u: 5.3, correction: -2.256 },
  Co: { u: 3.32, correction: -1.638 },
  Ni: { u: 6.2, correction: -2.541 },
  W: { u: 6.2, correction: -4.438 },
  Mo: { u: 4.38, correction: -3.202 },
}

/** Electronegativities of Pauling's scale by which the corrections tell anions, where the table of elements has another one or none (CRC Handbook of Chemistry and Physics). */
const PAULING: Readonly<Record<string, number>> = {
  W: 2.36,
  Pb: 2.33,
  Kr: 3,
  Xe: 2.6,
  Rn: 2.2,
  Pm: 1.13,
  Eu: 1.2,
  Tb: 1.1,
  Dy: 1.22,
}

/** Potentials of VASP (PBE, PAW) that the corrections were fitted with. */
const POTENTIALS: ReadonlySet<string> = new Set(
  `Ac Ag Al Ar As Au B Ba_sv Be_sv Bi Br C Ca_sv Cd Ce Cl Co Cr_pv Cs_sv Cu_pv Dy_3 Er_3 Eu F Fe_pv Ga_d Gd Ge_d H He Hf_pv Hg Ho_3 I In_d Ir
  K_sv Kr La Li_sv Lu_3 Mg_pv Mn_pv Mo_pv N Na_pv Nb_pv Nd_3 Ne Ni_pv Np O Os_pv P Pa Pb_d Pd Pm_3 Pr_3 Pt Pu Rb_sv Re_pv Rh_pv Ru_pv S Sb Sc_sv
  Se Si Sm_3 Sn_d Sr_sv Ta_pv Tb_3 Tc_pv Te Th Ti_pv Tl_d Tm_3 U V_pv W_pv Xe Y_sv Yb_2 Yb_3 Zn Zr_sv`.split(/\s+/),
)

/** What the corrections of a calculation follow from. */
export interface CorrectedRun {
  readonly composition: Readonly<Record<string, number>>
  /** `GGA` or `GGA+U`. */
  readonly runType: string
  /** U of the elements, in eV; 0 where an element is left out. */
  readonly hubbards: Readonly<Record<string, number>>
  /** Names of the potentials: `Mn_pv`. */
  readonly potentials: readonly string[]
  /** Kind of oxide by its O–O and O–H distances: `oxide`, `hydroxide`, `peroxide`, `superoxide`, `ozonide`. */
  readonly oxideType?: string
  /** Oxidation states of the elements, where they are known. */
  readonly oxidationStates?: Readonly<Record<string, number>>
}

/** A correction, in eV for all atoms of an element. */
export interface Correction {
  readonly element: string
  readonly kind: 'anion' | 'mixing'
  readonly value: number
}

/** Corrections of a composition, or why it has none that are known. */
export type Corrections =
  | { readonly corrections: readonly Correction[]; readonly total: number }
  | { readonly corrections: null; readonly reason: string }

/** Corrections that make the energy of a run comparable with those of the Materials Project; none where the run is not one of its kind, or they cannot be decided. */
export function correctionOf(run: CorrectedRun): Corrections {
  const elements = Object.keys(run.composition).filter((element) => (run.composition[element] ?? 0) > 0)
  const reason = otherSettings(run, elements)
  if (reason !== null) return { corrections: null, reason }
  if (elements.length === 1) return { corrections: [], total: 0 }
  const anion = mostElectronegative(elements)
  if (anion === null) return { corrections: null, reason: 'Which element is the most electronegative is not known.' }
  const wrongU = elements.find((element) => (run.hubbards[element] ?? 0) !== uOf(element, anion))
  if (wrongU !== undefined) {
    const value = run.hubbards[wrongU] ?? 0
    const should = uOf(wrongU, anion)
    return { corrections: null, reason: `U of ${wrongU} is ${value} eV; the corrections are for ${should} eV.` }
  }
  const corrections: Correction[] = []
  for (const element of elements) {
    const amount = run.composition[element] ?? 0
    const perAtom = anionCorrection(element, anion, run)
    if (typeof perAtom === 'string') return { corrections: null, reason: perAtom }
    if (perAtom !== 0) corrections.push({ element, kind: 'anion', value: perAtom * amount })
    const mixing = uOf(element, anion) === 0 ? 0 : (METALS_WITH_U[element]?.correction ?? 0)
    if (mixing !== 0) corrections.push({ element, kind: 'mixing', value: mixing * amount })
  }
  return { corrections, total: corrections.reduce((sum, { value }) => sum + value, 0) }
}

/** Says in what a run differs from those that the corrections are for. */
function otherSettings({ runType, potentials }: CorrectedRun, elements: readonly string[]): string | null {
  if (runType !== 'GGA' && runType !== 'GGA+U') return `The corrections are for GGA and GGA+U, not for ${runType}.`
  const other = potentials.find((name) => !POTENTIALS.has(name))
  if (other !== undefined) return `The corrections are for other potentials than ${other}.`
  const described = new Set(potentials.map((name) => name.split('_')[0]))
  const without = elements.find((element) => !described.has(element))
  if (without !== undefined) return `The potential of ${without} is not known.`
  return elements.length === 0 ? 'There are no atoms.' : null
}

/** The element of the highest electronegativity, of which only one that may be an anion matters; null where it is not known. */
function mostElectronegative(elements: readonly string[]): string | null {
  if (!elements.some((element) => element === 'O' || Object.hasOwn(ANIONS, element))) return NO_ANION
  const known = elements.map((element) => ({ element, value: electronegativityOf(element) }))
  if (known.some(({ value }) => value === null)) return null
  const [first, second] = known.sort((one, other) => (other.value ?? 0) - (one.value ?? 0))
  return first === undefined || first.value === second?.value ? null : first.element
}

const NO_ANION = ''

function electronegativityOf(element: string): number | null {
  return PAULING[element] ?? findElement(element)?.electronegativity ?? null
}

function uOf(element: string, anion: string): number {
  return anion === 'O' || anion === 'F' ? (METALS_WITH_U[element]?.u ?? 0) : 0
}

/** The correction of an element for each of its atoms, or why it cannot be decided. */
function anionCorrection(
  element: string,
  anion: string,
  { oxideType, oxidationStates }: CorrectedRun,
): number | string {
  if (element === 'O') {
    if (oxideType === undefined) return 'Whether it is an oxide or a peroxide is not known.'
    const ofOxide = Object.hasOwn(OXIDES, oxideType) ? OXIDES[oxideType] : undefined
    return ofOxide ?? `"${oxideType}" is no kind of oxide.`
  }
  const ofAnion = ANIONS[element]
  if (ofAnion === undefined) return 0
  if (element === anion) return ofAnion
  const state = oxidationStates?.[element]
  if (state === undefined) return `Whether ${element} is an anion is not known: it needs its oxidation state.`
  return state < 0 ? ofAnion : 0
}
