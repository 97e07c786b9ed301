import { ionText } from '../../../page/ion-text.ts'
import type { CrystalSite } from '../../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../../errors.ts'
import { readNoElement } from '../common/species.ts'
import type { NamedSpecies, SpeciesNames } from '../common/species-names.ts'
import { shorten } from '../common/text.ts'
import { type CifBlock, isGiven, readCifNumber } from './document.ts'

const LONGEST_NAME = 200

/** A type that lists several elements, as the Pauling File writes them: `0.56(4)Mg + 0.29(3)Ta`. */
const MIXED_TYPE = /[A-Za-z].*[+,/&].*[A-Z]|\d\s*[A-Z][a-z]?.*\d\s*[A-Z]|^[A-Z][a-z]?[\d.]+[A-Z]|^[01]?\.\d.*[A-Z]/
const SHARE_BEFORE = /^(\d*\.?\d+)(?:\(\d+\))?\s*([A-Z][a-z]?)$/
const SHARE_BEHIND = /^([A-Z][a-z]?)\s*(\d*\.\d+)(?:\(\d+\))?$/
interface AtomName {
  readonly type: string
  readonly label: string
  readonly line: number
}

/** The species that a type names, with their shares; most name one. */
export function speciesOnSite({
  type,
  label,
  line,
}: AtomName): readonly { readonly name: string; readonly share: number }[] {
  if (type.length > LONGEST_NAME || !MIXED_TYPE.test(type) || readNoElement(type) !== undefined)
    return [{ name: type, share: 1 }]
  const parts = type.split(/\s*[+,/&]\s*/).map((part) => {
    const [, before, one] = SHARE_BEFORE.exec(part) ?? []
    const [, other, behind] = SHARE_BEHIND.exec(part) ?? []
    return { name: one ?? other ?? '', share: Number(before ?? behind) }
  })
  const total = parts.reduce((sum, { share }) => sum + share, 0)
  if (parts.every(({ name, share }) => name !== '' && share > 0) && total <= MOST_TOTAL) return parts
  const message = `The site ${label} is shared by several species: "${shorten(type)}".`
  const hint = 'List each species on a row of its own, with its _atom_site_occupancy.'
  throw refusal(FORMAT_ERRORS.disordered, message, { line, hint })
}

const MOST_TOTAL = 1.01

/** The species of an atom by its type, else by its label; null for no atom. */
export function readSpecies(
  { type, label, line }: AtomName,
  formula: ReadonlySet<string>,
  names: SpeciesNames,
): NamedSpecies | null {
  if (type === '') return names.ofLabel(label, formula, { line })
  // A file that states vanadium means it.
  if (/^va$/i.test(type) && formula.has('V')) return names.take(type, { element: 'V', sure: false }, { line })
  return names.ofType(type, { line })
}

/** Charges by the type of atom, where they stand in the list of types. */
export function oxidationsOfTypes(block: CifBlock): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const loop of block.loops) {
    const [type, state] = [loop.tags.indexOf('_atom_type_symbol'), loop.tags.indexOf('_atom_type_oxidation_number')]
    if (type === -1 || state === -1) continue
    for (const tag of ['_atom_type_symbol', '_atom_type_oxidation_number']) block.taken.add(tag)
    for (let row = 0; row + loop.tags.length <= loop.values.length; row += loop.tags.length) {
      const value = loop.values[row + state]
      const charge = isGiven(value) ? readCifNumber(value.text) : undefined
      if (charge !== undefined) found.set(loop.values[row + type]?.text.trim() ?? '', charge)
    }
  }
  return found
}

/** The columns of the list of atoms that say when an atom is there: tags, and the values of a site. */
interface OccupancyColumns {
  readonly tags: readonly string[]
  readonly valuesOf: (site: CrystalSite) => string
}

/** CIF has no tag for the isotopes of other elements than hydrogen. */
export const ISOTOPE_TAG = '_atom_site_quarry_isotope'

/** `_atom_site_occupancy`, and what else one of the sites needs. */
export function occupancyColumns(sites: readonly CrystalSite[]): OccupancyColumns {
  const columns: (readonly [string, (site: CrystalSite) => string])[] = [
    ['_atom_site_occupancy', ({ occurrence }) => String(occurrence ?? 1)],
  ]
  if (sites.some(({ disorder }) => disorder !== undefined)) {
    columns.push(['_atom_site_disorder_assembly', ({ disorder }) => word(disorder?.assembly)])
    columns.push(['_atom_site_disorder_group', ({ disorder }) => word(disorder?.group)])
  }
  if (sites.some((site) => site.isotope !== undefined && HYDROGEN_NAMES[nameOf(site)] === undefined)) {
    columns.push([ISOTOPE_TAG, ({ isotope }) => String(isotope ?? '.')])
  }
  return { tags: columns.map(([tag]) => tag), valuesOf: (site) => columns.map(([, print]) => print(site)).join(' ') }
}

const HYDROGEN_NAMES: Readonly<Record<string, string>> = { H2: 'D', H3: 'T' }

function nameOf({ element, isotope }: CrystalSite): string {
  return `${element}${isotope ?? ''}`
}

/** `Fe`, `Fe3+`, `D`. */
export function typeSymbol(site: CrystalSite): string {
  const symbol = HYDROGEN_NAMES[nameOf(site)] ?? site.element
  const { oxidationState } = site
  if (oxidationState === undefined) return symbol
  return ionText(symbol, oxidationState)
}

/** One word without what ends it. */
function word(text: string | undefined): string {
  if (text === undefined || text === '') return '.'
  const plain = text.replaceAll(/[\s'"]+/g, '_')
  return /^[\w-][\w.+-]*$/.test(plain) ? plain : `'${plain}'`
}
