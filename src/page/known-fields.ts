import { propertyField } from './property-fields.ts'
import { spelledOut } from './property-words.ts'

/** Name that people have for a field, and the unit of its numbers. */
export interface FieldTitle {
  readonly title: string
  readonly unit?: string
}

/** The unit of lengths is in each record. */
const LENGTH = 'Å or bohr'

/** Fields of records, of materials above all: `title`, or `title|unit`. */
const FIELDS: Readonly<Record<string, string>> = {
  _id: 'Id',
  name: 'Name',
  description: 'Description',
  tags: 'Tags',
  slug: 'Name in addresses',
  isPublic: 'Seen by',
  'owner.slug': 'Owner',
  'creator.slug': 'Created by',
  createdAt: 'Created',
  updatedAt: 'Updated',
  formula: 'Formula',
  unitCellFormula: 'Formula of the cell',
  formulaHill: 'Formula by Hill',
  anonymousFormula: 'Formula of letters',
  chemicalSystem: 'Chemical system',
  elements: 'Elements',
  elementClasses: 'Class of elements',
  oxidationStates: 'Oxidation state',
  nElements: 'Number of elements',
  nSites: 'Sites',
  volume: 'Volume|Å³',
  volumePerAtom: 'Volume per atom|Å³',
  density: 'Density|g/cm³',
  isDisordered: 'Disordered',
  isNonPeriodic: 'Molecule in a box',
  'spaceGroup.symbol': 'Space group',
  'spaceGroup.number': 'Number of the space group',
  'spaceGroup.crystalSystem': 'Crystal system',
  'spaceGroup.pointGroup': 'Point group',
  'prototype.name': 'Prototype',
  'prototype.strukturbericht': 'Strukturbericht',
  'prototype.pearson': 'Pearson symbol',
  'prototype.aflow': 'Prototype of AFLOW',
  'lattice.type': 'Lattice',
  'lattice.a': `a|${LENGTH}`,
  'lattice.b': `b|${LENGTH}`,
  'lattice.c': `c|${LENGTH}`,
  'lattice.alpha': 'α|°',
  'lattice.beta': 'β|°',
  'lattice.gamma': 'γ|°',
  type: 'Type',
  subtype: 'Subtype',
  'metadata.temperature': 'Temperature',
  'metadata.source': 'Source',
}

/** Note on a path; null where nothing is known of it. */
export function knownField(path: string): FieldTitle | null {
  const property = propertyField(path)
  if (property !== null) return property
  const [, element] = /^composition\.([A-Z][a-z]?)$/.exec(path) ?? []
  if (element !== undefined) return { title: `Atoms of ${element} in the cell` }
  if (!Object.hasOwn(FIELDS, path)) return null
  const [title = path, unit] = (FIELDS[path] ?? '').split('|')
  return unit === undefined ? { title } : { title, unit }
}

/** Title and unit of a path: as everybody knows it, else its own words. */
export function fieldAt(path: string): FieldTitle {
  return knownField(path) ?? { title: spelledOut(path.replaceAll('.', ' ')) }
}
