/** Form of what a property holds beside its name. */
export type PropertyForm =
  /** One number: `value`, `units`. */
  | 'scalar'
  /** A matrix: `value` (rows), `units`. */
  | 'tensor'
  /** A number or a vector for each site: `values` of `{ id, value }`, `units`; `id` is the place of the site, from 0. */
  | 'sites'
  /** Numbers with names of their own, each as `{ name, value }` under its name; `units`. */
  | 'contributions'
  /** Curves over one axis: `xAxis`, `yAxis` (`label`, `units`), `xDataArray`, `yDataSeries`, `legend`. */
  | 'curves'
  /** Band gaps: `values` of `{ type, value, units, spin, kpointValence, kpointConduction, eigenvalueValence, eigenvalueConduction }`. */
  | 'gaps'
  /** Steps of a convergence: `data`, `units`. */
  | 'steps'
  /** Tensors over frequencies: `values` of `{ part, frequencies, components }`. */
  | 'spectrum'

/** A name of a property that everybody in the field means the same by. */
export interface NamedProperty {
  /** Words for people. */
  readonly title: string
  readonly form: PropertyForm
  /** The unit in which it is stored; null where it has none, or each of its axes its own. */
  readonly units: string | null
  /** Number that no value is below. */
  readonly least?: number
}

/** Names of properties, as the public schemas have them, with the units in which they are stored. */
export const PROPERTY_NAMES = {
  total_energy: { title: 'Total energy', form: 'scalar', units: 'eV' },
  total_energy_contributions: { title: 'Contributions to the total energy', form: 'contributions', units: 'eV' },
  fermi_energy: { title: 'Fermi energy', form: 'scalar', units: 'eV' },
  band_gap: { title: 'Band gap', form: 'scalar', units: 'eV', least: 0 },
  band_gaps: { title: 'Band gaps', form: 'gaps', units: null, least: 0 },
  band_structure: { title: 'Band structure', form: 'curves', units: null },
  density_of_states: { title: 'Density of states', form: 'curves', units: null },
  pressure: { title: 'Pressure', form: 'scalar', units: 'kbar' },
  stress_tensor: { title: 'Stress tensor', form: 'tensor', units: 'kbar' },
  total_force: { title: 'Total force', form: 'scalar', units: 'eV/angstrom', least: 0 },
  atomic_forces: { title: 'Atomic forces', form: 'sites', units: 'eV/angstrom' },
  magnetic_moments: { title: 'Magnetic moments', form: 'sites', units: 'uB' },
  total_magnetization: { title: 'Total magnetization', form: 'scalar', units: 'uB' },
  formation_energy: { title: 'Formation energy', form: 'scalar', units: 'eV/atom' },
  energy_above_hull: { title: 'Energy above the hull', form: 'scalar', units: 'eV/atom', least: 0 },
  zero_point_energy: { title: 'Zero-point energy', form: 'scalar', units: 'eV' },
  phonon_dispersions: { title: 'Phonon dispersions', form: 'curves', units: null },
  phonon_dos: { title: 'Phonon density of states', form: 'curves', units: null },
  dielectric_tensor: { title: 'Dielectric tensor', form: 'spectrum', units: null },
  elastic_tensor: { title: 'Elastic tensor', form: 'tensor', units: 'GPa' },
  bulk_modulus: { title: 'Bulk modulus', form: 'scalar', units: 'GPa' },
  shear_modulus: { title: 'Shear modulus', form: 'scalar', units: 'GPa' },
  convergence_electronic: { title: 'Electronic convergence', form: 'steps', units: 'eV' },
  convergence_ionic: { title: 'Ionic convergence', form: 'steps', units: 'eV' },
  reaction_energy_barrier: { title: 'Reaction energy barrier', form: 'scalar', units: 'eV' },
  surface_energy: { title: 'Surface energy', form: 'scalar', units: 'eV/A^2' },
  valence_band_offset: { title: 'Valence band offset', form: 'scalar', units: 'eV' },
} as const satisfies Record<string, NamedProperty>

export type KnownPropertyName = keyof typeof PROPERTY_NAMES
