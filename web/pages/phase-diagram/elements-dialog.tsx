import { useState } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { ElementGrid } from '../../parts/element-grid.tsx'
import { MOST_ELEMENTS } from './diagram-path.ts'
import { useEnergyCounts } from './use-energy-counts.ts'

const NONE: ReadonlyMap<string, number> = new Map()

interface ElementsDialogProps {
  readonly elements: readonly string[]
  readonly onChoose: (elements: readonly string[]) => void
  readonly onClose: () => void
}

/** Elements of a diagram to choose from the periodic table, coloured by how many materials with energies have each. */
export function ElementsDialog({ elements, onChoose, onClose }: ElementsDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(elements))
  const counts = useEnergyCounts('elements', 118) ?? NONE
  const isTooMany = chosen.size > MOST_ELEMENTS
  return (
    <Dialog title="Elements" onClose={onClose}>
      <div class="periodic">
        <ElementGrid counts={counts} chosen={chosen} onChoose={setChosen} />
        <div class="row ends">
          <button type="submit" disabled={chosen.size === 0 || isTooMany} onClick={() => onChoose([...chosen])}>
            {chosen.size === 0 || isTooMany ? 'Phase diagram' : `Phase diagram of ${[...chosen].join(', ')}`}
          </button>
          <button type="button" onClick={() => setChosen(new Set())}>
            Clear
          </button>
        </div>
        <p class="fine" role="status">
          {isTooMany ? `${chosen.size} elements are chosen: a diagram has ${MOST_ELEMENTS} at the most.` : ''}
        </p>
      </div>
    </Dialog>
  )
}
