import { hash } from 'node:crypto'
import type { Site } from './crystal.ts'
import type { CellParameters } from './lattice.ts'
import { isPartial } from './occupancy.ts'

/** Distance to a half within which thousandths are rounded with care; limit below which a double is so fine. */
const NEAR_HALF = 1e-5
const SURELY_PRECISE = 1e9

/** Coordinates nearer than this to a whole number are in the corner of the cell. */
const CORNER_TOLERANCE = 0.001 * (1 + 1e-12)

/**
 * Names a crystal by its cell (Å, degrees) and sites to three decimals: an MD5 in hexadecimal. Clients compute the same value
 * to ask whether a material is there already, so the text below is part of the wire format. It does not depend on the order of sites
 * nor on whole lattice translations; it does on the choice of cell and origin.
 */
export function structureHash(cell: CellParameters, sites: readonly Site[]): string {
  return structureHashes(cell, sites).hash
}

/** As `structureHash`, with lengths in units of a: equal for crystals that differ by a uniform strain. */
export function scaledStructureHash(cell: CellParameters, sites: readonly Site[]): string {
  return structureHashes(cell, sites).scaledHash
}

/** Both names of a crystal: the text of its sites is the same in them. */
export function structureHashes(
  cell: CellParameters,
  sites: readonly Site[],
): { readonly hash: string; readonly scaledHash: string } {
  const text = sitesText(sites)
  return { hash: md5(`${text}#${cellText(cell, 1)}#`), scaledHash: md5(`${text}#${cellText(cell, cell.a)}#`) }
}

/** Names a crystal by its `hash` and its magnetic moments (Bohr magnetons) to two decimals, whole translations and the order of sites aside. */
export function magneticHash(structure: string, sites: readonly Site[]): string {
  const lines = sites.flatMap(({ element, fraction: [x, y, z], moment }) => {
    if (moment === undefined) return []
    const components = moment.map((component) => (Math.round(component * 100) / 100 + 0).toFixed(2)).join(',')
    return [`${element} ${insideCell(x)},${insideCell(y)},${insideCell(z)} ${components}`]
  })
  return md5(`${structure}#${lines.sort().join(';')};`)
}

/** Names a molecule by its InChI. */
export function moleculeHash(inchi: string): string {
  return md5(inchi)
}

function sitesText(sites: readonly Site[]): string {
  const lines = sites.map((site) => {
    const [x, y, z] = site.fraction
    return `${site.element}${site.label}${shareText(site)} ${insideCell(x)},${insideCell(y)},${insideCell(z)}`
  })
  return `${lines.sort().join(';')};`
}

/** A share to three decimals: `Cu@0.750`; whole atoms have none, so that crystals without disorder keep their names. */
function shareText(site: Site): string {
  return isPartial(site) ? `@${(site.occurrence ?? 1).toFixed(3)}` : ''
}

function cellText(cell: CellParameters, unit: number): string {
  const { a, b, c, alpha, beta, gamma } = cell
  return [a / unit, b / unit, c / unit, alpha, beta, gamma].map((value) => `${toThreeDecimals(value)};`).join('')
}

/** A fraction moved into [0, 1) by whole translations, to three decimals; noise beyond the ninth decimal goes first. */
function insideCell(fraction: number): number {
  const clean = (Math.sign(fraction) * Math.round(Math.abs(fraction) * 1e9)) / 1e9
  const remainder = clean % 1
  const inside = clean >= 0 ? remainder : 1 + remainder
  return inside <= CORNER_TOLERANCE || 1 - inside <= CORNER_TOLERANCE ? 0 : toThreeDecimals(inside)
}

/**
 * Rounds a value that is not negative by the decimal digits that it prints with, halves up: 1.0005 (in binary a little less)
 * becomes 1.001. The decimal point moves in the text, since a multiplication would round first; digits beyond the 15th are cut
 * so that 0.17149999999999999 is not read as 0.1715.
 */
function toThreeDecimals(value: number): number {
  const thousandths = value * 1000
  const isNearHalf = Math.abs(thousandths - Math.floor(thousandths) - 0.5) < NEAR_HALF
  // Only near a half do the digits decide; the multiplication cannot be wrong by as much otherwise.
  if (!isNearHalf && thousandths < SURELY_PRECISE) return Math.round(thousandths) / 1000
  const [digits = '', exponent] = value.toExponential().split('e')
  return Math.round(Number(`${digits.slice(0, 16)}e${Number(exponent) + 3}`)) / 1000
}

function md5(text: string): string {
  return hash('md5', text)
}
