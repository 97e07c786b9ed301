import type { ComponentChildren } from 'preact'
import type { Supercell } from '../../src/page/scene/images.ts'
import type { SceneOptions } from '../../src/page/scene/scene.ts'
import { announce } from '../app/announce.ts'
import { Menu } from '../parts/menu.tsx'
import { saveBlob } from '../parts/save-blob.ts'
import type { CrystalView } from './crystal-view.ts'

/** The cells that may be chosen, by what they are called. */
const CELLS = {
  given: 'Cell of the record',
  conventional: 'Conventional cell',
  primitive: 'Primitive cell',
  niggli: 'Niggli cell',
} as const
export type Cell = keyof typeof CELLS

/** What is chosen about a picture. */
export interface Shown extends SceneOptions {
  readonly axes: boolean
}

interface CrystalToolsProps {
  readonly view: CrystalView
  readonly name: string
  readonly shown: Shown
  readonly isMeasuring: boolean
  readonly cell?: Cell | undefined
  readonly onCell?: ((cell: Cell) => void) | undefined
  readonly onChange: (change: Partial<Shown>) => void
  readonly onFullscreen: () => void
}

/** What can be chosen about the picture of a crystal, in one row. */
export function CrystalTools(props: CrystalToolsProps) {
  const { view, shown, isMeasuring, onChange, onFullscreen } = props
  return (
    <div class="crystal-tools" role="toolbar" aria-label="Picture of the crystal">
      <div class="crystal-group">
        {(['a', 'b', 'c'] as const).map((name, axis) => (
          <Tool
            key={name}
            title={`Look along ${name} (${axis + 1})`}
            onUse={() => view.do({ does: 'along', axis: axis as 0 | 1 | 2 })}
          >
            <i>{name}</i>
          </Tool>
        ))}
        <Tool title="Back to the first view (0)" onUse={() => view.do({ does: 'reset' })}>
          ⟲
        </Tool>
        <Tool title="Smaller (−)" onUse={() => view.do({ does: 'zoom', by: 1 / 1.25 })}>
          −
        </Tool>
        <Tool title="Larger (+)" onUse={() => view.do({ does: 'zoom', by: 1.25 })}>
          +
        </Tool>
      </div>
      <Tool title="Distances and angles (M)" isOn={isMeasuring} onUse={() => view.do({ does: 'measure' })}>
        Measure
      </Tool>
      <Tool
        title="Coordination polyhedra"
        isOn={shown.polyhedra}
        onUse={() => onChange({ polyhedra: !shown.polyhedra })}
      >
        Polyhedra
      </Tool>
      <SupercellChoice supercell={shown.supercell} onChange={(supercell) => onChange({ supercell })} />
      <CellChoice {...props} />
      <Menu label="Show">
        <ShownChoices shown={shown} onChange={onChange} />
      </Menu>
      <Menu label="Picture">
        <button type="button" onClick={() => void save(props, 'png')}>
          PNG, 300 dpi
        </button>
        <button type="button" onClick={() => void save(props, 'svg')}>
          SVG
        </button>
      </Menu>
      <Tool title="Fill the screen" onUse={onFullscreen}>
        ⤢
      </Tool>
    </div>
  )
}

interface ToolProps {
  readonly title: string
  readonly isOn?: boolean
  readonly onUse: () => void
  readonly children: ComponentChildren
}

/** A word says what it switches; a sign is told by its title. */
function Tool({ title, isOn, onUse, children }: ToolProps) {
  return (
    <button
      type="button"
      class="crystal-tool"
      title={title}
      aria-label={isOn === undefined ? title : undefined}
      aria-pressed={isOn}
      onClick={onUse}
    >
      {children}
    </button>
  )
}

const MOST_CELLS = 9

function SupercellChoice({ supercell, onChange }: { supercell: Supercell; onChange: (next: Supercell) => void }) {
  function set(axis: number, text: string): void {
    const count = Math.min(MOST_CELLS, Math.max(1, Math.floor(Number(text)) || 1))
    onChange(supercell.map((one, i) => (i === axis ? count : one)) as unknown as Supercell)
  }
  return (
    <fieldset class="crystal-group crystal-cells">
      <legend class="unseen">Cells along a, b and c</legend>
      {supercell.map((count, axis) => (
        <input
          key={axis}
          type="number"
          min={1}
          max={MOST_CELLS}
          value={count}
          title={`Cells along ${'abc'[axis]}`}
          aria-label={`Cells along ${'abc'[axis]}`}
          onChange={({ currentTarget }) => set(axis, currentTarget.value)}
        />
      ))}
    </fieldset>
  )
}

function CellChoice({ cell, onCell }: Pick<CrystalToolsProps, 'cell' | 'onCell'>) {
  if (cell === undefined || onCell === undefined) return null
  return (
    <select aria-label="Cell" value={cell} onChange={({ currentTarget }) => onCell(currentTarget.value as Cell)}>
      {Object.entries(CELLS).map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  )
}

const LOOKS = { balls: 'Balls and sticks', spheres: 'Filled space', sticks: 'Sticks' } as const
const BONDS = { within: 'Between the atoms shown', across: 'Across the cell', none: 'None' } as const
const SWITCHES = { boundary: 'Atoms on all faces', molecules: 'Whole molecules', axes: 'Axes' } as const

interface ShownChoicesProps {
  readonly shown: Shown
  readonly onChange: (change: Partial<Shown>) => void
}

function ShownChoices({ shown, onChange }: ShownChoicesProps) {
  return (
    <>
      <Choice label="Look" names={LOOKS} value={shown.look} onChange={(look) => onChange({ look })} />
      <Choice label="Bonds" names={BONDS} value={shown.bonds} onChange={(bonds) => onChange({ bonds })} />
      {(Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]).map((name) => (
        <label key={name}>
          <input type="checkbox" checked={shown[name]} onChange={() => onChange({ [name]: !shown[name] })} />{' '}
          {SWITCHES[name]}
        </label>
      ))}
    </>
  )
}

interface ChoiceProps<Name extends string> {
  readonly label: string
  readonly names: Readonly<Record<Name, string>>
  readonly value: Name
  readonly onChange: (value: Name) => void
}

function Choice<Name extends string>({ label, names, value, onChange }: ChoiceProps<Name>) {
  return (
    <label class="crystal-choice">
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Name)}>
        {(Object.keys(names) as Name[]).map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Gives what is seen to the browser as a file. */
async function save({ view, name, shown }: CrystalToolsProps, format: 'png' | 'svg'): Promise<void> {
  const { scene, camera, theme } = view
  if (scene === null || camera === null) return
  const { pngOf, svgOf } = await import('./picture.ts')
  const source = { scene, camera, theme, axes: shown.axes }
  const file = `${name}.${format}`
  saveBlob(format === 'png' ? await pngOf(source) : svgOf(source), file)
  announce(`Saved ${file}`)
}
