import type { MaterialFields } from '../../src/page/scene/material-structure.ts'
import { ask } from '../api/client.ts'

/** A material in one of its versions; without a version it is not kept. */
export interface MaterialVersion {
  readonly id: string
  readonly version: string
}

/** More atoms than these are no picture of the size of a row, and many bytes. */
const MOST_ATOMS = 120
/** In one request. */
const MOST_TOGETHER = 100
/** Structures that are kept, the latest. */
const MOST_KEPT = 400
/** What a drawing needs; the server has more, of the same things. */
const FIELDS = { 'basis.elements': 1, 'basis.coordinates': 1, 'basis.units': 1, lattice: 1, isNonPeriodic: 1 }

/** Whether a material is small enough to be drawn so small. */
export function isDrawn({ basis }: MaterialFields): boolean {
  return basis.elements.length <= MOST_ATOMS
}

type Structure = MaterialFields | null
type Told = (structure: Structure) => void

/** Null where a material has no structure of a size that can be drawn. */
const kept = new Map<string, Structure>()
/** Who waits for a structure, by material. */
const awaited = new Map<string, { readonly material: MaterialVersion; readonly tell: Set<Told> }>()

/** A structure that is there; undefined where it has to be asked for. */
export function keptStructure(material: MaterialVersion): Structure | undefined {
  return kept.get(keyOf(material))
}

/** Asks for a structure together with all others that are asked for at the same moment. Returns what takes that back. */
export function askStructure(material: MaterialVersion, tell: Told): () => void {
  if (awaited.size === 0) requestAnimationFrame(() => void askAll())
  const key = keyOf(material)
  const waiting = awaited.get(key) ?? { material, tell: new Set() }
  awaited.set(key, waiting)
  waiting.tell.add(tell)
  return () => {
    waiting.tell.delete(tell)
    if (waiting.tell.size === 0) awaited.delete(key)
  }
}

async function askAll(): Promise<void> {
  const wanted = [...awaited.values()]
  awaited.clear()
  for (let from = 0; from < wanted.length; from += MOST_TOGETHER) {
    const some = wanted.slice(from, from + MOST_TOGETHER)
    // Without its picture a row still says what it is.
    const found = await structuresOf(some.map(({ material }) => material.id)).catch(() => null)
    for (const { material, tell } of some) {
      const structure = found?.get(material.id) ?? null
      if (found !== null && material.version !== '') keep(keyOf(material), structure)
      for (const one of tell) one(structure)
    }
  }
}

async function structuresOf(ids: readonly string[]): Promise<ReadonlyMap<string, MaterialFields>> {
  const search = {
    query: JSON.stringify({ _id: { $in: ids }, nSites: { $lte: MOST_ATOMS } }),
    projection: JSON.stringify({ fields: FIELDS, limit: ids.length }),
  }
  const { data } = await ask<readonly (MaterialFields & { readonly _id: string })[]>('GET', '/materials', { search })
  return new Map(data.map((material) => [material._id, material]))
}

function keep(key: string, structure: Structure): void {
  kept.set(key, structure)
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) return
    kept.delete(oldest)
  }
}

function keyOf({ id, version }: MaterialVersion): string {
  return `${id} ${version}`
}
