import { PROPERTY_NAMES } from '../../../src/page/property-names.ts'

/** A field that records have, as the server knows it. */
export interface KnownField {
  readonly path: string
  readonly types: readonly string[]
  /** Records that have it. */
  readonly count: number
  readonly title: string | null
  readonly unit: string | null
}

/** A field that a name in the line means. */
export interface NamedField {
  readonly path: string
  readonly unit?: string | undefined
}

/** A field that people call by other names than its path. */
interface Alias extends NamedField {
  /** In small letters and digits, the one that is written first. */
  readonly names: readonly string[]
  /** What is suggested, and written where a condition becomes text. */
  readonly title: string
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  band_gap: 'gap eg egap electronicgap',
  energy_above_hull: 'hull ehull eabovehull abovehull hulldistance energyabovehull',
  formation_energy: 'eform formationenthalpy',
  total_energy: 'energy etot',
  fermi_energy: 'fermilevel',
  total_magnetization: 'magnetization magnetisation totalmagnetisation magneticmoment',
}

function alias(path: string, title: string, names: string, unit?: string): Alias {
  return { path, title, names: [bareName(title), ...names.split(' ').filter((name) => name !== '')], unit }
}

/** Fields of materials. */
export const MATERIAL_FIELDS: readonly Alias[] = [
  alias('volume', 'volume', 'vol cellvolume', 'Å³'),
  alias('volumePerAtom', 'volume per atom', '', 'Å³'),
  alias('density', 'density', 'rho massdensity', 'g/cm³'),
  alias('nSites', 'sites', 'nsites natoms atoms numberofatoms numberofsites'),
  alias('nElements', 'number of elements', 'nelements'),
  ...(['a', 'b', 'c'] as const).map((name) => alias(`lattice.${name}`, name, `lattice${name}`, 'Å')),
  ...(['alpha', 'beta', 'gamma'] as const).map((name) => alias(`lattice.${name}`, name, '', '°')),
  alias('spaceGroup.number', 'space group', 'spacegroupnumber sg spg'),
  ...Object.entries(PROPERTY_NAMES).flatMap(([name, { title, form, units }]) =>
    form === 'scalar'
      ? [alias(`properties.${name}.value`, title.toLowerCase(), OTHER_NAMES[name] ?? '', units ?? undefined)]
      : [],
  ),
  alias('properties.band_gap.direct', 'direct gap', 'directbandgap', 'eV'),
  alias('properties.atomic_forces.max', 'largest force', 'maxforce maximumforce', 'eV/angstrom'),
  alias('createdAt', 'created', 'createdat'),
  alias('updatedAt', 'updated', 'updatedat changed modified'),
]

/** Fields of records that are no materials. */
export const RECORD_FIELDS: readonly Alias[] = MATERIAL_FIELDS.filter(({ path }) => path.endsWith('At'))

/** Fields that names can mean. */
export interface FieldNames {
  readonly aliases: readonly Alias[]
  readonly fields: readonly KnownField[]
}

/** A name without what people write differently: `Band gap`, `bandGap` and `band_gap` are one. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')
}

/** The field that a name means: its path, else, of those that people call so, the one that most records have. */
export function fieldNamed(name: string, { aliases, fields }: FieldNames): NamedField | null {
  const unitAt = (path: string) => aliases.find((one) => one.path === path)?.unit ?? undefined
  const exact = fields.find(({ path }) => path === name)
  if (exact !== undefined) return { path: name, unit: unitAt(name) ?? exact.unit ?? undefined }
  const own = aliases.find(({ path }) => path === name)
  if (own !== undefined) return own
  const bare = bareName(name)
  if (bare === '') return null
  const meant = aliases.filter((one) => one.names.includes(bare) || bareName(one.path) === bare)
  const names = [bare, ...meant.flatMap((one) => one.names)]
  const others = fields.filter((one) => isCalled(one, names) && !meant.some(({ path }) => path === one.path))
  const countOf = (path: string): number => fields.find((one) => one.path === path)?.count ?? 0
  const [best] = [...meant, ...others].sort((one, other) => countOf(other.path) - countOf(one.path))
  return best === undefined ? null : { path: best.path, unit: best.unit ?? undefined }
}

/** Parts of a path that say nothing without those before them. */
const TOO_SHORT = new Set(['value', 'values', 'units', 'id', 'name', 'type', 'number', 'symbol'])

function isCalled({ path, title, types }: KnownField, names: readonly string[]): boolean {
  if (types.every((type) => type === 'object') || path.split('.').length > 3) return false
  const last = path.split('.').at(-1) ?? path
  const called = [path, ...(TOO_SHORT.has(last) ? [] : [last]), ...(title === null ? [] : [title])]
  return called.some((one) => names.includes(bareName(one)))
}
