import { useMemo, useState } from 'preact/hooks'
import { rgbOf } from '../../../src/page/scene/colors.ts'
import { type LaidCells, type LaidStructure, overlaidScene, upright } from '../../../src/page/scene/overlaid.ts'
import type { Structure } from '../../../src/page/scene/structure.ts'
import { shownTheme } from '../../app/theme.ts'
import { CrystalPanel } from '../../crystal/crystal-panel.tsx'
import type { Compose } from '../../crystal/crystal-view.ts'
import { Choice } from '../../parts/choice.tsx'
import type { DrawnMaterial } from './linked-crystals.tsx'

interface OverlaidCrystalsProps {
  readonly materials: readonly DrawnMaterial[]
}

/** A material with its structure. */
type Laid = DrawnMaterial & { readonly structure: Structure }

/** The crystals in one picture, laid on each other, each in a colour. */
export function OverlaidCrystals({ materials }: OverlaidCrystalsProps) {
  const laid = useMemo(() => materials.flatMap((one) => (one.structure === null ? [] : [one as Laid])), [materials])
  const [first] = laid
  const left = materials.filter(({ structure }) => structure === null).map(({ number, name }) => `${number}. ${name}`)
  return (
    <>
      {left.length > 0 && <p class="fine">Too large to be drawn here: {left.join(', ')}.</p>}
      {first !== undefined && <Overlay laid={laid} first={first} />}
    </>
  )
}

const [OWN, FIRST] = ['Own', 'Of the first']

function Overlay({ laid, first }: { readonly laid: readonly Laid[]; readonly first: Laid }) {
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const [cells, setCells] = useState<LaidCells>('own')
  const theme = shownTheme.value
  const structure = useMemo(() => upright(first.structure), [first])
  const compose = useMemo((): Compose => {
    const structures = laid.map(
      (one): LaidStructure => ({
        number: one.number,
        name: one.name,
        structure: one.structure,
        color: curveColor(one.number - 1),
        isShown: !hidden.has(one.number),
      }),
    )
    return (_, options) => overlaidScene(structures, cells, options)
  }, [laid, hidden, cells, theme])

  function toggle(number: number): void {
    const next = new Set(hidden)
    if (!next.delete(number)) next.add(number)
    setHidden(next)
  }

  return (
    <>
      <Choice
        legend="Cells"
        choices={[OWN, FIRST]}
        chosen={cells === 'own' ? OWN : FIRST}
        onChoose={(choice) => setCells(choice === OWN ? 'own' : 'first')}
      />
      <CrystalPanel
        structure={structure}
        name="overlaid"
        label="Crystals on each other"
        compose={compose}
        legend={<OverlayLegend laid={laid} hidden={hidden} cells={cells} onToggle={toggle} />}
      />
    </>
  )
}

interface OverlayLegendProps {
  readonly laid: readonly Laid[]
  readonly hidden: ReadonlySet<number>
  readonly cells: LaidCells
  readonly onToggle: (number: number) => void
}

/** Which colour is which material, each with a box to show or hide it, and how they are laid. */
function OverlayLegend({ laid, hidden, cells, onToggle }: OverlayLegendProps) {
  return (
    <div class="crystal-legend overlay-legend">
      <fieldset>
        <legend class="unseen">Materials that are shown</legend>
        {laid.map(({ number, name }, place) => (
          <label key={number}>
            <input type="checkbox" checked={!hidden.has(number)} onChange={() => onToggle(number)} />
            <svg class={`color-${number - 1}`} width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">
              {place === 0 ? <circle r="7" fill="currentcolor" /> : <circle r="6" class="ring" />}
            </svg>
            {number}. {name}
          </label>
        ))}
      </fieldset>
      <p>
        Laid on each other with the origins of their cells at one place, <i>a</i> along x and <i>b</i> in the plane of x
        and y{cells === 'own' ? '' : ', sites at their fractions in the cell of the first'}. Sites of the first are
        balls, those of the others rings; the arrows are the axes of the first.
      </p>
    </div>
  )
}

/** A colour of the theme that is shown, as curves have it. */
function curveColor(place: number) {
  return rgbOf(getComputedStyle(document.documentElement).getPropertyValue(`--curve-${place}`).trim())
}
