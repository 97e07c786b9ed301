import { useMemo } from 'preact/hooks'
import { type MaterialFields, structureOfMaterial } from '../../../src/page/scene/material-structure.ts'
import { navigate } from '../../app/router.tsx'
import { Choice } from '../../parts/choice.tsx'
import { late } from '../../parts/late.tsx'
import { comparePath } from './compare-ids.ts'
import type { ComparedMaterial } from './compared-table.tsx'
import { type DrawnMaterial, LinkedCrystals } from './linked-crystals.tsx'

const OverlaidCrystals = late(async () => (await import('./overlaid-crystals.tsx')).OverlaidCrystals)

/** More atoms than these are slow to turn several times at once. */
const MOST_ATOMS = 2000
const [BESIDE, LAID] = ['Side by side', 'On each other']

interface ComparedCrystalsProps {
  readonly materials: readonly ComparedMaterial[]
  readonly isLaid: boolean
}

/** The crystals of the materials, side by side or on each other, as the address says. */
export function ComparedCrystals({ materials, isLaid }: ComparedCrystalsProps) {
  const drawn = useMemo(() => materials.map(drawnOf), [materials])
  const choose = (choice: string) =>
    navigate(
      comparePath(
        materials.map(({ id }) => id),
        choice === LAID,
      ),
      { replace: true },
    )
  return (
    <>
      <Choice legend="Crystals" choices={[BESIDE, LAID]} chosen={isLaid ? LAID : BESIDE} onChoose={choose} />
      {isLaid ? <OverlaidCrystals materials={drawn} /> : <LinkedCrystals materials={drawn} />}
    </>
  )
}

function drawnOf(material: ComparedMaterial, place: number): DrawnMaterial {
  const isTooLarge = Number(material['nSites']) > MOST_ATOMS
  const structure = isTooLarge ? null : structureOfMaterial(material as unknown as MaterialFields)
  return { number: place + 1, name: material.name, structure }
}
