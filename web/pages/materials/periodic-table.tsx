import { useState } from 'preact/hooks'
import { ELEMENT_CLASSES, ELEMENTS, type Element } from '../../../src/page/elements.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { type Condition, ELEMENT_MODES, type ElementMode } from '../../query/conditions.ts'
import './periodic-table.css'

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

  /** All of them, or none where all are chosen already. */
  function toggle(elements: readonly Element[]): void {
    const symbols = elements.map(({ symbol }) => symbol)
    const next = new Set(chosen)
    const areChosen = symbols.every((symbol) => next.has(symbol))
    for (const symbol of symbols)
      if (areChosen) next.delete(symbol)
      else next.add(symbol)
    setChosen(next)
  }

  const most = Math.max(1, ...counts.values())
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
        <div class="classes">
          {ELEMENT_CLASSES.map(({ name, title, includes }) => (
            <button key={name} type="button" class="tag" onClick={() => toggle(ELEMENTS.filter(includes))}>
              {title}
            </button>
          ))}
        </div>
        <div class="cells" role="group" aria-label="Elements">
          {Array.from({ length: 18 }, (_, at) => at + 1).map((group) => (
            <button
              key={`group ${group}`}
              type="button"
              class="edge"
              style={{ gridColumn: group + 1, gridRow: 1 }}
              aria-label={`Group ${group}`}
              onClick={() => toggle(ELEMENTS.filter((one) => one.group === group))}
            >
              {group}
            </button>
          ))}
          {Array.from({ length: 7 }, (_, at) => at + 1).map((period) => (
            <button
              key={`period ${period}`}
              type="button"
              class="edge"
              style={{ gridColumn: 1, gridRow: period + 1 }}
              aria-label={`Period ${period}`}
              onClick={() => toggle(ELEMENTS.filter((one) => one.period === period))}
            >
              {period}
            </button>
          ))}
          {ELEMENTS.map((element) => {
            const count = counts.get(element.symbol) ?? 0
            const share = count === 0 ? 0 : 8 + 34 * (Math.log1p(count) / Math.log1p(most))
            return (
              <button
                key={element.symbol}
                type="button"
                class="element"
                aria-pressed={chosen.has(element.symbol)}
                aria-label={`${element.symbol}, ${count} records`}
                title={`${element.symbol} ${element.number}: ${count.toLocaleString()} records`}
                style={{ ...placeOf(element), '--share': `${share}%` }}
                onClick={() => toggle([element])}
              >
                {element.symbol}
              </button>
            )
          })}
        </div>
        <div class="row ends">
          <button type="submit" onClick={() => onChoose(mode, [...chosen])}>
            {chosen.size === 0 ? 'Any elements' : `Show ${MODE_WORDS[mode]} ${[...chosen].slice(0, 6).join(', ')}`}
            {chosen.size > 6 ? ' …' : ''}
          </button>
          <button type="button" onClick={() => setChosen(new Set())}>
            Clear
          </button>
        </div>
      </div>
    </Dialog>
  )
}

/** Lanthanides and actinides stand in rows of their own, below. */
function placeOf({ number, group, period }: Element): { gridColumn: number; gridRow: number } {
  if (group !== null) return { gridColumn: group + 1, gridRow: period + 1 }
  return { gridColumn: number - (period === 6 ? 57 : 89) + 4, gridRow: period === 6 ? 10 : 11 }
}
