import type { Json, JsonObject } from '../../../kernel/json.ts'
import { ownField } from '../../../kernel/json.ts'
import type { StructureWarning } from '../../../structure/crystal.ts'
import { readNumber } from '../../../structure/formats/common/text.ts'
import type { Model } from '../../calculation.ts'

/** Approximation to exchange and correlation: its kind and its name. */
interface Functional {
  readonly subtype: 'lda' | 'gga' | 'meta-gga' | 'hybrid'
  readonly name: string
}

const lda = (name: string): Functional => ({ subtype: 'lda', name })
const gga = (name: string): Functional => ({ subtype: 'gga', name })

/** Functionals by the tag GGA, and by LEXCH in potentials, which has the same letters (VASP Wiki, GGA and LEXCH). */
const BY_TAG: Readonly<Record<string, Functional>> = {
  CA: lda('pz'),
  PZ: lda('pz'),
  HL: lda('hl'),
  WI: lda('wi'),
  VW: lda('vwn'),
  PB: gga('pb'),
  PW: gga('pw86'),
  '91': gga('pw91'),
  PE: gga('pbe'),
  RP: gga('rpbe'),
  RE: gga('revpbe'),
  PS: gga('pbesol'),
  AM: gga('am05'),
  BF: gga('beef'),
  B3: gga('b3lyp'),
  B5: gga('b3lyp'),
  OR: gga('optpbe'),
  BO: gga('optb88'),
  MK: gga('optb86b'),
  ML: gga('rpw86'),
  CX: gga('cx13'),
}

/** Functionals by the first words of the titles of potentials, with which these were made. */
const BY_TITLE: Readonly<Record<string, Functional>> = {
  PAW: lda('pz'),
  US: lda('pz'),
  PAW_LDA: lda('pz'),
  PAW_GGA: gga('pw91'),
  PAW_PBE: gga('pbe'),
}

const BY_METAGGA: Readonly<Record<string, string>> = { RTPSS: 'revtpss', M06L: 'm06-l', MBJ: 'mbj' }

/** Functionals with a correlation of van der Waals forces (LUSE_VDW) that have a name, by that of their exchange. */
const WITH_VDW: Readonly<Record<string, string>> = {
  revpbe: 'vdw-df',
  optpbe: 'optpbe-vdw',
  optb88: 'optb88-vdw',
  optb86b: 'optb86b-vdw',
  rpw86: 'vdw-df2',
  cx13: 'vdw-df-cx',
  scan: 'scan+rvv10',
  r2scan: 'r2scan+rvv10',
}

/** Corrections for dispersion, by IVDW (VASP Wiki, IVDW). */
const BY_IVDW: Readonly<Record<number, string>> = {
  1: 'd2',
  10: 'd2',
  11: 'd3',
  12: 'd3bj',
  13: 'd4',
  2: 'ts',
  20: 'ts',
  21: 'ts-hi',
  202: 'mbd',
  4: 'ddsc',
}

/** What an output says of its model. */
export interface ModelSource {
  /** Tags that the program used, and those of the input: the former where both have one. */
  readonly parameters: JsonObject
  readonly incar: JsonObject
  /** Titles of the potentials. */
  readonly titles: readonly string[]
  /** Functional of the potentials, by LEXCH. */
  readonly exchange?: string
  /** Part of the energy in eV that no electronic step has; a correction for dispersion where there is no pressure. */
  readonly added?: number
}

/** Reads the model; null with a reason where it cannot be told. */
export function modelOf(source: ModelSource): {
  readonly model: Model | null
  readonly warnings: readonly StructureWarning[]
} {
  const found = functionalOf(source)
  if (typeof found === 'string') return { model: null, warnings: [{ code: 'model-unknown', message: found }] }
  const dispersion = dispersionOf(source)
  if (dispersion === '' && source.added !== undefined && source.added !== 0 && pressureOf(source) === 0) {
    const message = `The energy has ${source.added} eV that no electronic step has, as of a correction for dispersion, and the output does not name it: no model is named.`
    return { model: null, warnings: [{ code: 'model-unknown', message }] }
  }
  const functional = `${found.name}${dispersion}${tagOf(source, 'LDAU') === true ? '+u' : ''}`
  return { model: { type: 'dft', subtype: found.subtype, functional }, warnings: [] }
}

/** Algorithms for other than the ground state: none of them is a density functional. */
const BEYOND = /^(?:chi|acfdt|rpa|bse|tdhf|timeev|(?:sc|ev|qp)*g0?w)/i

function functionalOf(source: ModelSource): Functional | string {
  const algorithm = textOf(tagOf(source, 'ALGO'))
  if (BEYOND.test(algorithm)) return `ALGO = ${algorithm} goes beyond a density functional: no model is named.`
  const meta = namedTag(source, 'METAGGA')
  const base = isNamed(meta) ? metaOf(meta) : localOf(source)
  if (tagOf(source, 'LHFCALC') === true) return hybridOf(source, base)
  if (typeof base === 'string' || tagOf(source, 'LUSE_VDW') !== true) return base
  return { ...base, name: WITH_VDW[base.name] ?? `${base.name}+vdw` }
}

function metaOf(tag: string): Functional {
  return { subtype: 'meta-gga', name: BY_METAGGA[tag] ?? tag.toLowerCase() }
}

/** Functional of density and gradient: by the tag GGA, else by the potentials. */
function localOf({ titles, exchange, ...source }: ModelSource): Functional | string {
  const tag = namedTag(source, 'GGA')
  if (isNamed(tag)) return BY_TAG[tag] ?? `GGA = ${tag} is no functional that is known: no model is named.`
  const letters = exchange?.trim().toUpperCase()
  if (letters !== undefined) return BY_TAG[letters] ?? `LEXCH = ${letters} is no functional that is known.`
  const kinds = [...new Set(titles.map((title) => title.trim().split(/\s+/)[0] ?? ''))]
  const [kind = ''] = kinds
  if (kinds.length > 1) return `The potentials are of different kinds, ${kinds.join(' and ')}: no model is named.`
  const named = Object.hasOwn(BY_TITLE, kind) ? BY_TITLE[kind] : undefined
  return named ?? 'Neither GGA nor the titles of the potentials name the functional: no model is named.'
}

/** Screening of HSE06 in 1/Å: 0.2 by the VASP Wiki, 0.11 per bohr (0.2079) by its authors, and what people round it to. */
function isScreenedAs06(screening: number): boolean {
  return screening >= 0.2 && screening <= 0.2085
}

function hybridOf(source: ModelSource, base: Functional | string): Functional | string {
  const [share, screening] = [numberOf(tagOf(source, 'AEXX'), 0.25), numberOf(tagOf(source, 'HFSCREEN'), 0)]
  if (share === 1) return 'AEXX = 1 takes all exchange from Hartree and Fock: no density functional is named.'
  const isModel = tagOf(source, 'LTHOMAS') === true || tagOf(source, 'LMODELHF') === true
  const name = isModel || typeof base === 'string' ? undefined : hybridName(base.name, share, screening)
  if (name !== undefined) return { subtype: 'hybrid', name }
  return `The hybrid functional with AEXX = ${share} and HFSCREEN = ${screening} has no common name: no model is named.`
}

function hybridName(base: string, share: number, screening: number): string | undefined {
  if (base === 'b3lyp' && share === 0.2 && screening === 0) return 'b3lyp'
  if (share !== 0.25) return undefined
  if (base === 'pbesol') return isScreenedAs06(screening) ? 'hsesol' : undefined
  if (base !== 'pbe') return undefined
  if (screening === 0) return 'pbe0'
  if (screening === 0.3) return 'hse03'
  return isScreenedAs06(screening) ? 'hse06' : undefined
}

function dispersionOf(source: ModelSource): string {
  const way = numberOf(tagOf(source, 'IVDW'), 0)
  if (way !== 0) return `+${BY_IVDW[way] ?? `ivdw${way}`}`
  return tagOf(source, 'LVDW') === true ? '+d2' : ''
}

type TagSources = Pick<ModelSource, 'parameters' | 'incar'>

/** A tag that names something, in capitals; empty where neither place does. */
function namedTag({ parameters, incar }: TagSources, name: string): string {
  const texts = [parameters, incar].map((tags) => textOf(ownField(tags, name)).toUpperCase())
  return texts.find(isNamed) ?? ''
}

function pressureOf(source: ModelSource): number {
  return numberOf(tagOf(source, 'PSTRESS'), 0)
}

function tagOf({ parameters, incar }: TagSources, name: string): Json | undefined {
  return ownField(parameters, name) ?? ownField(incar, name)
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return (typeof value === 'string' ? readNumber(value) : typeof value === 'number' ? value : undefined) ?? otherwise
}

function isNamed(tag: string): boolean {
  return tag !== '' && tag !== 'NONE' && !tag.startsWith('-')
}
