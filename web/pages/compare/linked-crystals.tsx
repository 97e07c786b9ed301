import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type MaterialFields, structureOfMaterial } from '../../../src/page/scene/material-structure.ts'
import { CrystalView } from '../../crystal/crystal-view.ts'

interface LinkedCrystalsProps {
  readonly materials: readonly (Readonly<Record<string, unknown>> & { readonly name: string })[]
}

/** More atoms than these are slow to turn several times at once. */
const MOST_ATOMS = 2000

/** Crystals side by side, seen from the same direction: who turns one turns all. */
export function LinkedCrystals({ materials }: LinkedCrystalsProps) {
  const [isLinked, setLinked] = useState(true)
  const views = useMemo(() => materials.map(() => new CrystalView()), [materials])
  useEffect(() => {
    for (const [at, view] of views.entries()) {
      view.structure = structureOfMaterial(materials[at] as unknown as MaterialFields)
    }
  }, [views, materials])
  useEffect(() => {
    if (!isLinked) return
    const end = new AbortController()
    const follow = (leading: CrystalView) => {
      for (const view of views) if (view !== leading) view.rotation = leading.rotation
    }
    for (const view of views) view.addEventListener('turn', () => follow(view), { signal: end.signal })
    const [first] = views
    if (first !== undefined) follow(first)
    return () => end.abort()
  }, [views, isLinked])
  return (
    <>
      <label class="turn-together">
        <input type="checkbox" checked={isLinked} onChange={({ currentTarget }) => setLinked(currentTarget.checked)} />{' '}
        Turn them together
      </label>
      <div class="linked-crystals">
        {views.map((view, at) => (
          <figure key={at}>
            {sizeOf(materials[at]) > MOST_ATOMS ? (
              <p class="fine">Too large to be drawn here.</p>
            ) : (
              <Place view={view} />
            )}
            <figcaption>
              {at + 1}. {materials[at]?.name}
            </figcaption>
          </figure>
        ))}
      </div>
    </>
  )
}

function Place({ view }: { readonly view: CrystalView }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.append(view)
    return () => view.remove()
  }, [view])
  return <div class="linked-crystal" ref={place} />
}

function sizeOf(material: Readonly<Record<string, unknown>> | undefined): number {
  return typeof material?.['nSites'] === 'number' ? material['nSites'] : 0
}
