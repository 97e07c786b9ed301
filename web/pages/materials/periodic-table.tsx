import { useState } from 'preact/hooks'
import { navigate } from '../../app/router.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ElementGrid } from '../../parts/element-grid.tsx'
import { type Condition, ELEMENT_MODES, type ElementMode } from '../../query/conditions.ts'
import { diagramPath, MOST_ELEMENTS } from '../phase-diagram/diagram-path.ts'

const MODE_WORDS: Readonly<Record<ElementMode, string>> = {
  all: 'all of',
  any: 'any of',
  none: 'none of',
  only: 'only',
}

interface PeriodicTableProps {
  /** How many of the records that are found have an element. */
  readonly counts: ReadonlyMap<string, number>
  readonly conditions: readonly Condition[]
  readonly onChoose: (mode: ElementMode, symbols: readonly string[]) => void
  readonly onClose: () => void
}

/** Elements to choose: one by one, by group, by period, or by class. */
export function PeriodicTable({ counts, conditions, onChoose, onClose }: PeriodicTableProps) {
  const asked = conditions.find((one) => one.kind === 'elements')
  const [mode, setMode] = useState<ElementMode>(asked?.mode ?? 'all')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(asked?.symbols ?? []))

  function changeMode(next: ElementMode): void {
    const known = conditions.find((one) => one.kind === 'elements' && one.mode === next)
    setMode(next)
    if (known?.kind === 'elements') setChosen(new Set(known.symbols))
  }

  return (
    <Dialog title="Elements" onClose={onClose}>
      <div class="periodic">
        <fieldset class="choice">
          <legend>Records with</legend>
          {ELEMENT_MODES.map((one) => (
            <label key={one}>
              <input type="radio" name="mode" checked={mode === one} onChange={() => changeMode(one)} />
              {MODE_WORDS[one]}
            </label>
          ))}
        </fieldset>
        <ElementGrid counts={counts} chosen={chosen} onChoose={setChosen} />
        <div class="row ends">
          <button type="submit" onClick={() => onChoose(mode, [...chosen])}>
            {chosen.size === 0 ? 'Any elements' : `Show ${MODE_WORDS[mode]} ${[...chosen].slice(0, 6).join(', ')}`}
            {chosen.size > 6 ? ' …' : ''}
          </button>
          <button type="button" onClick={() => setChosen(new Set())}>
            Clear
          </button>
          <button
            type="button"
            disabled={chosen.size === 0 || chosen.size > MOST_ELEMENTS}
            onClick={() => navigate(diagramPath({ elements: [...chosen] }))}
          >
            Phase diagram
          </button>
        </div>
      </div>
    </Dialog>
  )
}
