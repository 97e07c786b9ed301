import { CLASS_WORDS } from './above-hull.ts'

/** Pixels of an entry of the key, of what stands before them, and of a row. */
const ITEM = 90
const TITLE = 196
const ROW = 22
const ITEMS: readonly (string | null)[] = [null, ...CLASS_WORDS]

/** Pixels that the key takes below a drawing. */
export function keyHeight(width: number): number {
  return rowsOf(width).count * ROW + 8
}

/** Meaning of the marks, which a saved drawing has with it: by form for what is stable, by colour for how far the others are from it. */
export function DiagramKey({ width, top }: { readonly width: number; readonly top: number }) {
  const { start, inRow, indent } = rowsOf(width)
  return (
    <g class="key">
      <text x={0} y={top + ROW}>
        Above the hull / (meV/atom)
      </text>
      {ITEMS.map((words, at) => {
        const x = indent + (at % inRow) * ITEM + 8
        const y = top + (start + Math.floor(at / inRow) + 1) * ROW
        return (
          <g key={words}>
            {words === null ? (
              <circle class="stable" cx={x} cy={y - 4} r={6} />
            ) : (
              <polygon
                class={`unstable above-${at - 1}`}
                points={`${x},${y - 10} ${x + 6},${y - 4} ${x},${y + 2} ${x - 6},${y - 4}`}
              />
            )}
            <text x={x + 12} y={y}>
              {words ?? 'stable'}
            </text>
          </g>
        )
      })}
    </g>
  )
}

/** Entries stand behind the title where there is room for all, else in rows below it. */
function rowsOf(width: number) {
  if (width >= TITLE + ITEMS.length * ITEM) return { start: 0, inRow: ITEMS.length, indent: TITLE, count: 1 }
  const inRow = Math.max(1, Math.min(ITEMS.length, Math.floor(width / ITEM)))
  return { start: 1, inRow, indent: 0, count: 1 + Math.ceil(ITEMS.length / inRow) }
}
