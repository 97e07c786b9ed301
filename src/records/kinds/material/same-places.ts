import { type JsonObject, ownField } from '../../../kernel/json.ts'
import type { CellParameters } from '../../../structure/lattice.ts'
import { type MaterialStructure, readStructure } from './read-structure.ts'

/** A material and others, by their texts; null for one that is gone. */
export interface PlacesQuestion {
  readonly text: string
  readonly candidates: readonly (string | null)[]
}

/** Å: outputs print lengths and places to five decimals and more. */
const AS_PRINTED = 1e-4
/** Fractions that materials of one hash may differ by: it has three decimals. */
const AS_HASHED = 0.0011
const DEGREES_PER_ANGSTROM = 10

/**
 * Finds the first material that has the sites of another one in the same order, at the same places of the same cell, but for what rounding takes: what is told of
 * sites by their places in the one holds for the other. -1 where none is.
 */
export function findSamePlaces({ text, candidates }: PlacesQuestion): number {
  const document = JSON.parse(text) as JsonObject
  const structure = readStructure(document)
  return candidates.findIndex((candidate) => {
    if (candidate === null) return false
    const other = JSON.parse(candidate) as JsonObject
    const isOfOneHash = ownField(document, 'hash') === ownField(other, 'hash')
    return isPlacedAs(structure, readStructure(other), isOfOneHash ? null : AS_PRINTED)
  })
}

/** `within` is in Å; null for crystals of one hash, whose cells are told to be the same. */
function isPlacedAs(one: MaterialStructure, other: MaterialStructure, within: number | null): boolean {
  if (one.sites.length !== other.sites.length) return false
  if (within !== null && !isSameCell(one.cell, other.cell, within)) return false
  const { a, b, c } = one.cell
  const mayDiffer = [a, b, c].map((length) => (within === null ? AS_HASHED : within / length))
  return one.sites.every((site, at) => {
    const their = other.sites[at]
    if (their === undefined || site.element !== their.element || site.label !== their.label) return false
    return site.fraction.every((value, axis) => apart(value, their.fraction[axis] ?? 0) <= (mayDiffer[axis] ?? 0))
  })
}

function isSameCell(one: CellParameters, other: CellParameters, within: number): boolean {
  const lengths = (['a', 'b', 'c'] as const).every((name) => Math.abs(one[name] - other[name]) <= within)
  const angles = (['alpha', 'beta', 'gamma'] as const).every(
    (name) => Math.abs(one[name] - other[name]) <= within * DEGREES_PER_ANGSTROM,
  )
  return lengths && angles
}

/** Whole translations aside. */
function apart(one: number, other: number): number {
  const difference = one - other
  return Math.abs(difference - Math.round(difference))
}
