import { GROUNDS, INKS, mixed, type Rgb, rgbOf, type Theme, visibleOn } from './colors.ts'
import { lookOf } from './element-looks.ts'
import type { Mixture, Share } from './structure.ts'
import type { Vector3 } from './vector.ts'

/** An entry of a basis: a species, where it is, and in which share of the cells. */
export interface BasisEntry {
  readonly symbol: string
  readonly fraction: Vector3
  /** 1 where the atom is there in every cell. */
  readonly occurrence: number
}

/** The sites of a basis, and what is on those that are shared or not always full. */
export interface MixedSites {
  readonly species: readonly string[]
  readonly fractions: readonly Vector3[]
  readonly mixtures: ReadonlyMap<number, Mixture>
  readonly entries: readonly number[]
}

/** Puts the entries of one place together: a site is drawn once. */
export function mixedSites(entries: readonly BasisEntry[]): MixedSites {
  const places = new Map<string, (BasisEntry & { readonly index: number })[]>()
  for (const [index, entry] of entries.entries()) {
    const key = entry.occurrence < 1 ? placeKey(entry.fraction) : `whole ${index}`
    const known = places.get(key)
    if (known === undefined) places.set(key, [{ ...entry, index }])
    else known.push({ ...entry, index })
  }
  const sites = [...places.values()].map((some) => some.toSorted((one, other) => other.occurrence - one.occurrence))
  const mixtures = new Map<number, Mixture>()
  for (const [site, some] of sites.entries()) {
    if ((some[0] as BasisEntry).occurrence >= 1) continue
    mixtures.set(
      site,
      some.map(({ symbol, occurrence }) => ({ symbol, share: occurrence })),
    )
  }
  return {
    species: sites.map(([first]) => (first as BasisEntry).symbol),
    fractions: sites.map(([first]) => (first as BasisEntry).fraction),
    mixtures,
    entries: sites.map(([first]) => (first as { readonly index: number }).index),
  }
}

/** Species of one site have the same coordinates, to three decimals; 0.9999 is 0 of the next cell. */
function placeKey(fraction: Vector3): string {
  return fraction.map((x) => ((Math.round(x * 1000) % 1000) + 1000) % 1000).join()
}

/** A part of a ball as it is seen, from where the last one ended to `end`: 0 is at the top, 1 there again, clockwise. */
export interface Slice {
  readonly end: number
  readonly color: Rgb
}

/** More slices than these are not told apart, and the card has no room for them. */
const MOST_SLICES = 3
const OTHERS: Rgb = [140, 140, 140]

/** The slices of a site; what is empty comes last and is nearly of the colour of the ground. */
export function slicesOf(mixture: Mixture, theme: Theme): readonly Slice[] {
  const parts = mixture.map(({ symbol, share }) => ({ share, color: visibleOn(theme, rgbOf(lookOf(symbol).color)) }))
  const empty = emptyShare(mixture)
  if (empty > 0) parts.push({ share: empty, color: mixed(GROUNDS[theme], INKS[theme], 0.12) })
  if (parts.length > MOST_SLICES) {
    const others = parts.splice(MOST_SLICES - 1).reduce((sum, { share }) => sum + share, 0)
    parts.push({ share: others, color: OTHERS })
  }
  let end = 0
  return parts.map(({ share, color }, index) => {
    end = index === parts.length - 1 ? 1 : end + share
    return { end, color }
  })
}

/** Less than this is what rounding leaves. */
const LEAST_EMPTY = 0.0011

export function emptyShare(mixture: Mixture): number {
  const empty = 1 - mixture.reduce((sum, { share }) => sum + share, 0)
  return empty < LEAST_EMPTY ? 0 : empty
}

/** `Cu 75 %, Au 25 %`, and what is empty. */
export function mixtureWords(mixture: Mixture): string {
  const empty = emptyShare(mixture)
  const told = mixture.map(({ symbol, share }: Share) => `${symbol} ${percent(share)}`)
  return [...told, ...(empty > 0 ? [`empty ${percent(empty)}`] : [])].join(', ')
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}
