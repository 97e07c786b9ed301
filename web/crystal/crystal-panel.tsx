import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type MaterialFields, structureOfMaterial } from '../../src/page/scene/material-structure.ts'
import { DEFAULT_OPTIONS, type Scene, type SceneOptions, sceneOf } from '../../src/page/scene/scene.ts'
import type { Structure } from '../../src/page/scene/structure.ts'
import { announce } from '../app/announce.ts'
import './crystal.css'
import { CrystalLegend } from './crystal-legend.tsx'
import { type Cell, CrystalTools, type Shown } from './crystal-tools.tsx'
import { type Compose, CrystalView } from './crystal-view.ts'
import type { Measure, Picked } from './measuring.ts'

export interface CrystalPanelProps {
  readonly structure: Structure
  /** What its files are called, without what comes after the dot. */
  readonly name: string
  /** Which cell is shown, where there is a choice; `onCell` is called when the other one is asked for. */
  readonly cell?: Cell | undefined
  readonly onCell?: ((cell: Cell) => void) | undefined
  /** What it is called where there are several. */
  readonly label?: string | undefined
  /** Draws the structure with others. */
  readonly compose?: Compose
  /** What is said of the picture, in place of its elements and a sentence. */
  readonly legend?: ComponentChildren
}

interface CrystalOfMaterialProps extends Pick<CrystalPanelProps, 'cell' | 'onCell' | 'label'> {
  /** A material as the server answers it. */
  readonly material: Readonly<Record<string, unknown>>
}

/** The crystal of a material. */
export function CrystalOfMaterial({ material, ...rest }: CrystalOfMaterialProps) {
  const structure = useMemo(() => structureOfMaterial(material as unknown as MaterialFields), [material])
  const name = String(material['slug'] ?? material['formula'] ?? 'crystal').replace(/[^\w-]+/g, '-')
  return <CrystalPanel structure={structure} name={name} {...rest} />
}

/** A crystal that can be turned, with what can be chosen about it, its legend, and a sentence that says what it is. */
export function CrystalPanel(props: CrystalPanelProps) {
  const { structure, name, cell, onCell, label = 'Crystal', compose = sceneOf, legend } = props
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLElement>(null)
  const view = useMemo(() => new CrystalView(), [])
  const [shown, setShown] = useState<Shown>({ ...DEFAULT_OPTIONS, axes: true })
  const [scene, setScene] = useState<Scene | null>(null)
  const [isMeasuring, setMeasuring] = useState(false)
  const [told, setTold] = useState('')
  useEffect(() => {
    const end = new AbortController()
    const { signal } = end
    view.addEventListener('scene', (event) => setScene((event as CustomEvent<Scene>).detail), { signal })
    view.addEventListener('measuring', (event) => setMeasuring((event as CustomEvent<boolean>).detail), { signal })
    for (const name of ['pick', 'measure'])
      view.addEventListener(name, (event) => tell((event as CustomEvent<Picked | Measure>).detail), { signal })
    view.classList.add('crystal-view')
    place.current?.append(view)
    return () => {
      end.abort()
      view.remove()
    }
  }, [view])
  useEffect(() => {
    view.compose = compose
    view.structure = structure
  }, [view, structure, compose])
  useEffect(() => {
    const { axes, ...options } = shown
    view.change(options satisfies SceneOptions)
    view.axes = axes
  }, [view, shown])

  function tell(what: Picked | Measure): void {
    const text = 'sentence' in what ? what.sentence : what.text
    setTold(text)
    announce(text)
  }

  return (
    <section class="crystal" aria-label={label} ref={frame}>
      <CrystalTools
        {...{ view, name, shown, isMeasuring, cell, onCell }}
        onChange={(change) => setShown({ ...shown, ...change })}
        onFullscreen={() => toggleFullscreen(frame.current)}
      />
      <div class="crystal-place" ref={place} />
      <p class="crystal-told">
        {isMeasuring && told === '' ? 'Pick two atoms for a distance, three for an angle.' : told}
      </p>
      {legend ?? (scene !== null && <CrystalLegend scene={scene} />)}
    </section>
  )
}

function toggleFullscreen(element: HTMLElement | null): void {
  const done = document.fullscreenElement === null ? element?.requestFullscreen() : document.exitFullscreen()
  done?.catch(() => announce('The browser does not let this page fill the screen'))
}
