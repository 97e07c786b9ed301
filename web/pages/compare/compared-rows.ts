import { disorderedFormula } from '../../../src/page/disordered-formula.ts'
import { fieldAt } from '../../../src/page/known-fields.ts'
import { groupWords } from '../../../src/page/property-words.ts'
import { valueAt } from '../../parts/value-at.ts'
import { type PropertyEntry, shownProperties, summaryText } from '../../properties/shown-properties.ts'

type Material = Readonly<Record<string, unknown>>

/** One thing that is told of each material; null where a material does not have it. */
export interface ComparedRow {
  /** By which field it is printed; empty for what is plain text. */
  readonly path: string
  readonly title: string
  readonly unit?: string
  readonly values: readonly (string | null)[]
  /** What is said below each value. */
  readonly notes?: readonly (string | null)[]
  /** Whether the materials have the same here; what one of them does not have is no difference. */
  readonly isSame: boolean
}

export interface ComparedPart {
  readonly title: string
  readonly rows: readonly ComparedRow[]
}

const CRYSTAL = ['formula', 'nSites', 'volume', 'volumePerAtom', 'density', 'isDisordered']
const SYMMETRY = [
  'spaceGroup.symbol',
  'spaceGroup.number',
  'spaceGroup.crystalSystem',
  'spaceGroup.pointGroup',
  'prototype.name',
  'prototype.strukturbericht',
  'prototype.pearson',
]
const CELL = ['lattice.type', 'lattice.a', 'lattice.b', 'lattice.c', 'lattice.alpha', 'lattice.beta', 'lattice.gamma']
const DIGITS = 5

/** What there is to compare of materials, part by part; what none of them has is left out. */
export function comparedParts(materials: readonly Material[]): readonly ComparedPart[] {
  const parts = [
    { title: 'Crystal', rows: CRYSTAL.map((path) => fieldRow(materials, path)) },
    { title: 'Symmetry', rows: SYMMETRY.map((path) => fieldRow(materials, path)) },
    { title: 'Cell', rows: CELL.map((path) => fieldRow(materials, path)) },
    { title: 'Composition', rows: compositionRows(materials) },
    { title: 'Properties', rows: propertyRows(materials) },
  ]
  return parts
    .map(({ title, rows }) => ({ title, rows: rows.filter(({ values }) => values.some((value) => value !== null)) }))
    .filter(({ rows }) => rows.length > 0)
}

function fieldRow(materials: readonly Material[], path: string): ComparedRow {
  const isLength = /^lattice\.[abc]$/.test(path)
  const { title, unit } = fieldAt(path)
  const values = materials.map((material) => textAt(material, path, isLength))
  return { path, title, ...(unit === undefined || isLength ? {} : { unit }), values, isSame: isSame(values) }
}

function textAt(material: Material, path: string, isLength: boolean): string | null {
  const value = valueAt(material, path)
  if (typeof value === 'number') {
    const unit = valueAt(material, 'lattice.units.length') === 'bohr' ? 'bohr' : 'Å'
    return `${digits(value)}${isLength ? ` ${unit}` : ''}`
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string' || value === '') return null
  return path === 'formula' && material['isDisordered'] === true ? disorderedFormula(value) : value
}

function digits(value: number): string {
  return String(Number(value.toPrecision(DIGITS)))
}

function isSame(values: readonly (string | null)[]): boolean {
  return new Set(values.filter((value) => value !== null)).size <= 1
}

/** Atoms of each element, in hundredths of all: cells of different sizes are comparable so. */
function compositionRows(materials: readonly Material[]): readonly ComparedRow[] {
  const shares = materials.map(sharesOf)
  const elements = [...new Set(shares.flatMap((share) => [...share.keys()]))].sort()
  return elements.map((element) => {
    const values = shares.map((share) => (share.size === 0 ? null : digits((share.get(element) ?? 0) * 100)))
    return { path: '', title: element, unit: 'at. %', values, isSame: isSame(values) }
  })
}

function sharesOf(material: Material): ReadonlyMap<string, number> {
  const counts = Object.entries((material['composition'] ?? {}) as Readonly<Record<string, number>>)
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  return new Map(counts.map(([element, count]) => [element, count / all]))
}

/** The best value of each property with its method; where there are several methods, each of them, which alone is comparable. */
function propertyRows(materials: readonly Material[]): readonly ComparedRow[] {
  const shown = materials.map((material) => shownProperties(material['properties']))
  const names = new Map(shown.flat().map(({ name, title }) => [name, title]))
  return [...names].flatMap(([name, title]) => {
    const entries = shown.map((properties) => properties.find((one) => one.name === name)?.entries ?? [])
    const groups = [...new Set(entries.flatMap((some) => some.map(({ group }) => group)))]
    const best = rowOf(
      title,
      entries.map(([first]) => first),
    )
    if (groups.length < 2) return [best]
    const each = groups.map((group) =>
      rowOf(
        `${title}, ${wordsOf(group)}`,
        entries.map((some) => some.find((one) => one.group === group)),
        false,
      ),
    )
    return [best, ...each]
  })
}

function rowOf(title: string, entries: readonly (PropertyEntry | undefined)[], hasNotes = true): ComparedRow {
  const values = entries.map((entry) => (entry === undefined ? null : summaryText(entry)))
  const notes = entries.map((entry) => (entry === undefined ? null : wordsOf(entry.group)))
  return { path: '', title, values, ...(hasNotes ? { notes } : {}), isSame: isSame(values) }
}

function wordsOf(group: string): string {
  return group === '' ? 'of no group' : groupWords(group)
}
