import { useMemo, useRef, useState } from 'preact/hooks'
import { announce } from '../../app/announce.ts'
import { Formula } from '../../parts/formula.tsx'
import { saveBlob } from '../../parts/save-blob.ts'
import { svgFile } from '../../plots/svg-file.ts'
import { useWidth } from '../../plots/use-width.ts'
import { quantityText } from '../../properties/quantity.ts'
import { BinaryDrawing } from './binary-drawing.tsx'
import { diagramCsv, fileName } from './diagram-files.ts'
import { type PhaseDiagram, type PhaseEntry, pointsOf, tieLinesOf } from './phase-diagram.ts'
import { stabilityText } from './phase-words.ts'
import { Products } from './products.tsx'
import { QuaternaryDrawing } from './quaternary-drawing.tsx'
import { References } from './references.tsx'
import { TernaryDrawing } from './ternary-drawing.tsx'
import { tooManyLines } from './tie-lines.ts'

const DRAWINGS = { 2: BinaryDrawing, 3: TernaryDrawing, 4: QuaternaryDrawing } as const
/** Energies above the hull, in eV/atom, up to which entries may be drawn alone. */
const BOUNDS = [0.05, 0.1, 0.2, 0.5] as const
/** Points of one drawing. */
const MOST_POINTS = 500

/** A diagram of two to four elements as a drawing, with what its marks mean; of others what can be saved of them. */
export function DiagramFigure({ diagram }: { readonly diagram: PhaseDiagram }) {
  const { elements, entries } = diagram
  const place = useRef<HTMLDivElement>(null)
  const svg = useRef<SVGSVGElement>(null)
  const width = useWidth(place, 640)
  const [bound, setBound] = useState(Number.POSITIVE_INFINITY)
  const [pointed, setPointed] = useState<PhaseEntry | null>(null)
  const Drawing = elements.length in DRAWINGS ? DRAWINGS[elements.length as keyof typeof DRAWINGS] : null
  const points = useMemo(() => {
    const within = entries.filter(({ energyAboveHull, isStable }) => isStable || energyAboveHull <= bound)
    return pointsOf(within, elements, elements.length > 2).slice(0, MOST_POINTS)
  }, [diagram, bound])
  const drawn = points.reduce((sum, { others }) => sum + 1 + others, 0)

  /** Tells of the entry that is pointed at, or has the focus. */
  function point({ target }: Event): void {
    const id = target instanceof Element ? target.closest('[data-entry]')?.getAttribute('data-entry') : null
    setPointed(entries.find(({ _id }) => _id === id) ?? null)
  }

  function save(ending: 'svg' | 'csv'): void {
    const name = fileName(diagram, ending)
    const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper')
    const text = ending === 'csv' ? diagramCsv(diagram) : svgFile(svg.current as SVGSVGElement, paper)
    saveBlob(new Blob([text], { type: ending === 'csv' ? 'text/csv' : 'image/svg+xml' }), name)
    announce(`${name} is saved`)
  }

  return (
    <div class="phase-figure">
      <div>
        <a class="skip" href="#phase-entries">
          Skip to the table
        </a>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: what is within are links, which have the focus */}
        <div
          ref={place}
          onPointerOver={point}
          onFocusIn={point}
          onPointerLeave={() => setPointed(null)}
          onFocusOut={() => setPointed(null)}
        >
          {Drawing === null ? (
            <p>Diagrams of two, three and four elements are drawn; this one is a table.</p>
          ) : (
            <Drawing diagram={diagram} points={points} width={width} svg={svg} pointed={pointed} />
          )}
        </div>
        <div class="phase-tools" role="toolbar" aria-label="Tools of the phase diagram">
          {Drawing !== null && (
            <>
              <label>
                Draw{' '}
                <select value={String(bound)} onChange={({ currentTarget: { value } }) => setBound(Number(value))}>
                  <option value="Infinity">all</option>
                  {BOUNDS.map((energy) => (
                    <option key={energy} value={String(energy)}>
                      up to {energy * 1000} meV/atom above the hull
                    </option>
                  ))}
                </select>
              </label>
              <button type="button" onClick={() => save('svg')}>
                Save as SVG
              </button>
            </>
          )}
          <button type="button" onClick={() => save('csv')}>
            Save as CSV
          </button>
        </div>
        {Drawing !== null && <Remarks diagram={diagram} points={points.length} drawn={drawn} />}
      </div>
      <div class="phase-side">
        {Drawing !== null && (
          <>
            <section class="phase-told" aria-label="Where you point">
              <Told entry={pointed} isTurned={elements.length === 4} />
            </section>
          </>
        )}
        <References diagram={diagram} />
      </div>
    </div>
  )
}

interface RemarksProps {
  readonly diagram: PhaseDiagram
  readonly points: number
  readonly drawn: number
}

/** What is not seen in the drawing. */
function Remarks({ diagram, points, drawn }: RemarksProps) {
  const { entries, facets } = diagram
  const missing = entries.length - drawn
  const said = [
    ...(drawn > points ? [`Of each composition the lowest is drawn: ${count(drawn - points)} lie under others.`] : []),
    ...(missing > 0 ? [`${count(missing)} are in the table alone.`] : []),
    ...(facets === null || tooManyLines(tieLinesOf(diagram).length)
      ? ['There are too many lines between what is in equilibrium: none is drawn.']
      : []),
  ]
  return said.length === 0 ? null : <p class="fine">{said.join(' ')}</p>
}

function count(materials: number): string {
  return `${materials.toLocaleString()} ${materials === 1 ? 'material' : 'materials'}`
}

function Told({ entry, isTurned }: { readonly entry: PhaseEntry | null; readonly isTurned: boolean }) {
  if (entry === null)
    return (
      <p class="fine">
        Point at a material, or go through them with Tab; Enter opens it.
        {isTurned && ' Drag the drawing, or press the arrow keys in it, to turn it.'}
      </p>
    )
  const { formula, name, formationEnergy, energyAboveHull } = entry
  return (
    <>
      <p>
        <strong>
          <Formula text={formula} />
        </strong>{' '}
        {name !== formula && name}
      </p>
      <p>Formation energy {quantityText(formationEnergy, 'eV/atom')}</p>
      <p>{stabilityText(entry)}</p>
      {energyAboveHull !== 0 && (
        <p>
          Decomposes into <Products entry={entry} />
        </p>
      )}
    </>
  )
}
