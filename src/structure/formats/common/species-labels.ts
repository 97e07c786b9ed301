import type { CrystalSite, StructureWarning } from '../../crystal.ts'
import { elementNamed } from './species.ts'
import { shorten } from './text.ts'

/**
 * Names by which a format calls its atoms: `species` are read as those of an element with a number or a mark behind it (`Fe1`, `Fe_up`), `kinds` may be any words beside an element
 * that is given otherwise, and `atoms` may number the atoms of the file.
 */
type NamesOf = 'species' | 'kinds' | 'atoms'

/** Files of more atoms than these that number them all have names of atoms, not of species. */
const MOST_SPECIES = 4

/** Tells species of one element apart by the labels of the sites: a number is kept, other names are numbered, with a warning. */
export function withSpeciesTags(
  sites: readonly CrystalSite[],
  namesOf: NamesOf,
  warnings: StructureWarning[],
): readonly CrystalSite[] {
  const numbers = sites.map(numberOf)
  if (namesOf === 'atoms' && areNumbered(sites, numbers)) {
    const message = `The names number the atoms (${sites[0]?.label}, …) and are no labels of species.`
    warnings.push({ code: 'atoms-numbered', message, severity: 'info' })
    return sites
  }
  const tags = new Map<string, number>()
  const taken = new Set(sites.map(({ element }, index) => `${element}${numbers[index] ?? ''}`))
  const names = namesOfSpecies(sites)
  const tagged = sites.map((site, index): CrystalSite => {
    const number = numbers[index] ?? (isApart(site, namesOf, names) ? numberFor(site, tags, taken) : undefined)
    return number === undefined ? site : { ...site, speciesTag: number }
  })
  warnings.push(...warningOf(tags))
  return tagged
}

/** The number behind the element: 1 of `Fe1`, `Fe_1` and `Fe:1`; a charge is none. */
function numberOf({ element, label = '', oxidationState }: CrystalSite): number | undefined {
  const [, letters = '', digits] = /^([A-Za-z]{1,2})[_:-]?(\d{1,6})(?:_\d+)?$/.exec(label) ?? []
  if (digits === undefined || oxidationState !== undefined || elementNamed(letters) !== element) return undefined
  return Number(digits)
}

function areNumbered(sites: readonly CrystalSite[], numbers: readonly (number | undefined)[]): boolean {
  if (sites.length <= MOST_SPECIES || numbers.includes(undefined)) return false
  return new Set(sites.map(({ element }, index) => `${element}${numbers[index]}`)).size === sites.length
}

/** Species that are the same but for the name. */
function speciesOf({ element, isotope, oxidationState }: CrystalSite): string {
  return `${element} ${isotope} ${oxidationState}`
}

function namesOfSpecies(sites: readonly CrystalSite[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>()
  for (const site of sites) {
    const known = names.get(speciesOf(site)) ?? new Set()
    names.set(speciesOf(site), known.add(site.label ?? site.element))
  }
  return names
}

/** Tells whether the name of a site without a number is another than those of its element. */
function isApart(site: CrystalSite, namesOf: NamesOf, names: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const { label, element, oxidationState } = site
  if (label === undefined || label === element || oxidationState !== undefined) return false
  const isMarked = namesOf === 'kinds' || (/^[_:-]\S/.test(label.slice(element.length)) && label.startsWith(element))
  return isMarked && (names.get(speciesOf(site))?.size ?? 0) > 1
}

/** The same number for the same name of an element. */
function numberFor({ element, label = '' }: CrystalSite, tags: Map<string, number>, taken: Set<string>): number {
  const key = `${label} is ${element}`
  const known = tags.get(key)
  if (known !== undefined) return known
  let number = 1
  while (taken.has(`${element}${number}`)) number++
  taken.add(`${element}${number}`)
  tags.set(key, number)
  return number
}

const MOST_NAMED = 8

function warningOf(tags: ReadonlyMap<string, number>): readonly StructureWarning[] {
  if (tags.size === 0) return []
  const named = [...tags].slice(0, MOST_NAMED).map(([name, number]) => `${shorten(name)}${number}`)
  const more = tags.size > MOST_NAMED ? ` and ${tags.size - MOST_NAMED} more` : ''
  return [{ code: 'labels-numbered', message: `Labels of species are numbers: ${named.join(', ')}${more}.` }]
}
