import { ionText } from '../../../page/ion.ts'
import type { CrystalSite } from '../../crystal.ts'

/** The columns of the list of atoms that say when an atom is there: tags, and the values of a site. */
export interface OccupancyColumns {
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
