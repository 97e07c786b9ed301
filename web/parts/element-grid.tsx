import { ELEMENT_CLASSES, ELEMENTS, type Element } from '../../src/page/elements.ts'
import './element-grid.css'

interface ElementGridProps {
  /** How many records have an element. */
  readonly counts: ReadonlyMap<string, number>
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

/** The periodic table: elements to choose one by one, by group, by period, or by class. */
export function ElementGrid({ counts, chosen, onChoose }: ElementGridProps) {
  const most = Math.max(1, ...counts.values())

  /** All of them, or none where all are chosen already. */
  function toggle(elements: readonly Element[]): void {
    const symbols = elements.map(({ symbol }) => symbol)
    const next = new Set(chosen)
    const areChosen = symbols.every((symbol) => next.has(symbol))
    for (const symbol of symbols)
      if (areChosen) next.delete(symbol)
      else next.add(symbol)
    onChoose(next)
  }

  return (
    <>
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
    </>
  )
}

/** Lanthanides and actinides stand in rows of their own, below. */
function placeOf({ number, group, period }: Element): { gridColumn: number; gridRow: number } {
  if (group !== null) return { gridColumn: group + 1, gridRow: period + 1 }
  return { gridColumn: number - (period === 6 ? 57 : 89) + 4, gridRow: period === 6 ? 10 : 11 }
}
