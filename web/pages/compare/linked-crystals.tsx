import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Structure } from '../../../src/page/scene/structure.ts'
import { CrystalView } from '../../crystal/crystal-view.ts'

/** One of the materials as it is drawn. */
export interface DrawnMaterial {
  /** Its place among them, from 1. */
  readonly number: number
  readonly name: string
  /** Null where it has too many atoms. */
  readonly structure: Structure | null
}

interface LinkedCrystalsProps {
  readonly materials: readonly DrawnMaterial[]
}

/** Crystals side by side, seen from the same direction: who turns one turns all. */
export function LinkedCrystals({ materials }: LinkedCrystalsProps) {
  const [isLinked, setLinked] = useState(true)
  const views = useMemo(() => materials.map(() => new CrystalView()), [materials])
  useEffect(() => {
    for (const [at, view] of views.entries()) view.structure = materials[at]?.structure ?? null
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
            {materials[at]?.structure === null ? (
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
