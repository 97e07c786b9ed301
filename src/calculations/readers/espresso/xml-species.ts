import { elementNamed, readType } from '../../../structure/formats/common/species.ts'
import type { Potential } from '../../calculation.ts'
import type { XmlElement } from './xml-tree.ts'

/** What a calculation has for its species. */
export interface XmlSpecies {
  readonly elements: ReadonlyMap<string, string>
  readonly potentials: readonly Potential[]
}

/** The element before the first mark in the name of a pseudopotential's file: `Si.pbe-n.UPF`, `fe_pbe.upf`. */
export function elementOfFile(file: string): string | undefined {
  return elementNamed(/^([A-Za-z]{1,2})(?=[._-])/.exec(file.split('/').at(-1) ?? '')?.[1] ?? '')
}

/** Elements and potentials of an element `atomic_species`. */
export function potentialsIn(section: XmlElement | undefined): XmlSpecies {
  const elements = new Map<string, string>()
  const potentials: Potential[] = []
  for (const species of section?.children ?? []) {
    if (species.name !== 'species') continue
    const label = species.attributes.get('name')?.trim() ?? ''
    const file = species.takeText('pseudo_file') ?? ''
    const reading = readType(label)
    const ofFile = elementOfFile(file)
    const element = reading?.sure === true ? reading.element : (ofFile ?? reading?.element)
    if (element !== null && element !== undefined) elements.set(label, element)
    if (file !== '') potentials.push({ element: element ?? label, title: file })
  }
  return { elements, potentials }
}
