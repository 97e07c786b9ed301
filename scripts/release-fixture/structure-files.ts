import type { Crystal } from './crystals.ts'

/** Writes a crystal as a CIF file without symmetry. */
export function toCif({ name, lattice, sites }: Crystal): string {
  const cell = [
    ...(['a', 'b', 'c'] as const).map((length) => `_cell_length_${length} ${lattice[length]}`),
    ...(['alpha', 'beta', 'gamma'] as const).map((angle) => `_cell_angle_${angle} ${lattice[angle]}`),
  ]
  const columns = ['label', 'type_symbol', 'fract_x', 'fract_y', 'fract_z'].map((column) => `_atom_site_${column}`)
  const rows = sites.map(([symbol, ...place], i) => `${symbol}${i + 1} ${symbol} ${place.join(' ')}`)
  const lines = [`data_${name.replaceAll(' ', '_')}`, "_symmetry_space_group_name_H-M 'P 1'", ...cell, 'loop_']
  return `${[...lines, ...columns, ...rows].join('\n')}\n`
}

/** Writes a crystal as a POSCAR file, with a along x and b in the xy plane. */
export function toPoscar({ name, lattice, sites }: Crystal): string {
  const symbols = [...new Set(sites.map(([symbol]) => symbol))]
  const counts = symbols.map((wanted) => sites.filter(([symbol]) => symbol === wanted).length)
  const places = symbols.flatMap((wanted) => sites.filter(([symbol]) => symbol === wanted).map(([, ...place]) => place))
  const rows = [...vectorsOf(lattice), [], ...places]
  const [a, b, c, , ...atoms] = rows.map((row) => row.map((value) => value.toFixed(9)).join(' '))
  return `${[name, '1.0', a, b, c, symbols.join(' '), counts.join(' '), 'Direct', ...atoms].join('\n')}\n`
}

/** A crystal as a record. */
export function toMaterial({ name, lattice, sites }: Crystal): { name: string; lattice: object; basis: object } {
  const elements = sites.map(([value], id) => ({ id, value }))
  const coordinates = sites.map(([, ...value], id) => ({ id, value }))
  return { name, lattice, basis: { elements, coordinates, units: 'crystal' } }
}

function vectorsOf({ a, b, c, alpha, beta, gamma }: Crystal['lattice']): number[][] {
  const [cosAlpha, cosBeta, cosGamma] = [cosine(alpha), cosine(beta), cosine(gamma)]
  const sinGamma = Math.sqrt(1 - cosGamma ** 2)
  const y = (cosAlpha - cosBeta * cosGamma) / sinGamma
  return [
    [a, 0, 0],
    [b * cosGamma, b * sinGamma, 0],
    [c * cosBeta, c * y, c * Math.sqrt(1 - cosBeta ** 2 - y ** 2)],
  ]
}

const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180)
