import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { reading, useAnswer } from '../../api/use-answer.ts'
import type { CrystalOfMaterial } from '../../crystal/crystal-panel.tsx'
import type { Cell } from '../../crystal/crystal-tools.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { type Material, numberAt, spaceGroupOf } from './material.ts'

interface Standard extends Material {
  readonly cell: Cell
  readonly nSites: number
}

/** Of more atoms the cell of the record is drawn at once, without its symmetry being sought first. */
const FEW_SITES = 100

/** The crystal, in the conventional cell where that holds no less than the cell of the record; the choice is the reader's. */
export function CrystalPlace({ material, id }: { readonly material: Material; readonly id: string }) {
  const Crystal = useCrystal()
  const [chosen, setChosen] = useState<Cell | null>(null)
  const sites = numberAt(material, 'nSites') ?? 0
  const hasGroup = spaceGroupOf(material) !== null
  const isTried = hasGroup && sites <= FEW_SITES
  const asked = chosen ?? (isTried ? 'conventional' : 'given')
  const path = asked === 'given' ? null : `/materials/${encodeURIComponent(id)}/analysis`
  const { data, error } = useAnswer<{ readonly standard: Standard | null }>(reading(path, { cell: asked }))
  const standard = data?.standard ?? null
  const isGiven = asked === 'given' || error !== undefined || (data !== null && standard === null)
  const isLess = chosen === null && standard !== null && standard.nSites < sites
  const shown = isGiven || isLess ? material : standard
  if (Crystal instanceof Error) return <RefusalBox error={Crystal} />
  if (Crystal === null || shown === null) return <Skeleton />
  const cell = shown === material ? 'given' : (standard?.cell ?? asked)
  const drawn = shown === material ? material : { ...material, ...shown, isNonPeriodic: false }
  return <Crystal material={drawn} cell={hasGroup ? cell : undefined} onCell={setChosen} />
}

type Loaded = ComponentType<Parameters<typeof CrystalOfMaterial>[0]>

/** The part that draws, which is a file of its own; null while it is on the way. */
function useCrystal(): Loaded | null | Error {
  const [loaded, setLoaded] = useState<{ readonly part: Loaded | Error } | null>(null)
  useEffect(() => {
    import('../../crystal/crystal-panel.tsx').then(
      (part) => setLoaded({ part: part.CrystalOfMaterial }),
      () => setLoaded({ part: new Error('A part of this page did not come. Reload the page.') }),
    )
  }, [])
  return loaded?.part ?? null
}
