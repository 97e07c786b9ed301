import { useState } from 'preact/hooks'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { announce } from '../../app/announce.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { saveBlob } from '../../parts/save-blob.ts'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Wide } from '../../parts/wide.tsx'
import { DiffractionPlot } from '../../plots/diffraction-plot.tsx'
import { type MeasuredPattern, readMeasuredPattern } from '../../plots/measured-pattern.ts'
import { MillerIndices } from '../../plots/miller-indices.tsx'
import type { Peak } from '../../plots/peaks.ts'
import type { SectionProps } from './section.ts'

interface Pattern {
  readonly radiation: string | null
  readonly wavelength: number
  readonly range: { readonly min: number; readonly max: number }
  readonly cell: 'conventional' | 'given'
  readonly peaks: readonly Peak[]
}

const NEUTRON = 'neutron'
const RADIATIONS = [
  ['CuKa', 'Cu Kα'],
  ['CuKa1', 'Cu Kα₁'],
  ['MoKa', 'Mo Kα'],
  ['MoKa1', 'Mo Kα₁'],
  ['CoKa', 'Co Kα'],
  ['FeKa', 'Fe Kα'],
  ['CrKa', 'Cr Kα'],
  ['AgKa', 'Ag Kα'],
  [NEUTRON, 'Neutrons'],
] as const

const TERMS = ['radiation', 'wavelength', 'min', 'max', 'cell'] as const
const FEW = 60

/** The powder pattern of the material, for a radiation and a range that stand in the address. */
export function DiffractionSection({ id, address, change }: SectionProps) {
  const asked = Object.fromEntries(TERMS.flatMap((name) => entryOf(name, address.search.get(name))))
  const { data, error } = useAnswer<Pattern>(reading(`/materials/${encodeURIComponent(id)}/diffraction`, asked))
  const [measured, setMeasured] = useState<MeasuredPattern | null>(null)
  return (
    <>
      <h2>Powder diffraction</h2>
      <Controls
        asked={asked}
        wavelength={data?.wavelength}
        scale={address.search.get('scale') ?? 'linear'}
        change={change}
      />
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton />}
      {data !== null && (
        <>
          <DiffractionPlot
            key={data.wavelength}
            peaks={data.peaks}
            range={[data.range.min, data.range.max]}
            measured={measured}
            isRoot={address.search.get('scale') === 'root'}
          />
          <MeasuredChoice measured={measured} setMeasured={setMeasured} />
          <p class="fine">
            λ = {data.wavelength} Å. Planes are named by the{' '}
            {data.cell === 'given' ? 'cell of the record' : 'conventional cell'}.{' '}
            {data.radiation === NEUTRON
              ? 'Bound coherent scattering lengths after Sears (1992); atoms at rest, no magnetic scattering, absorption or texture.'
              : 'Neutral atoms at rest; no dispersion, absorption or texture.'}
          </p>
          <PeakTable peaks={data.peaks} name={id} />
        </>
      )}
    </>
  )
}

function entryOf(name: string, value: string | null): readonly (readonly [string, string])[] {
  return value === null || value === '' ? [] : [[name, value]]
}

interface ControlsProps {
  readonly asked: Readonly<Record<string, string>>
  readonly wavelength: number | undefined
  readonly scale: string
  readonly change: SectionProps['change']
}

function Controls({ asked, wavelength, scale, change }: ControlsProps) {
  const isNeutron = asked['radiation'] === NEUTRON
  const isOther = asked['wavelength'] !== undefined && !isNeutron
  function choose(value: string): void {
    if (value === 'other') change({ radiation: null, wavelength: String(wavelength ?? 1) })
    else change({ radiation: value, wavelength: null })
  }
  const set = (name: string) => (event: Event) => change({ [name]: (event.currentTarget as HTMLInputElement).value })
  return (
    <div class="row controls">
      <Field label="Radiation">
        <select
          value={isOther ? 'other' : (asked['radiation'] ?? 'CuKa')}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {RADIATIONS.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
          <option value="other">Any wavelength</option>
        </select>
      </Field>
      {(isOther || isNeutron) && (
        <Field label="Wavelength / Å">
          <input
            type="number"
            min="0.05"
            max="10"
            step="any"
            value={asked['wavelength'] ?? wavelength}
            onChange={set('wavelength')}
          />
        </Field>
      )}
      <Field label="2θ from / °">
        <input type="number" min="0" max="178" step="any" value={asked['min'] ?? '0'} onChange={set('min')} />
      </Field>
      <Field label="to / °">
        <input type="number" min="1" max="179" step="any" value={asked['max'] ?? '90'} onChange={set('max')} />
      </Field>
      <Field label="Intensity">
        <select value={scale} onChange={(event) => change({ scale: event.currentTarget.value })}>
          <option value="linear">linear</option>
          <option value="root">square root</option>
        </select>
      </Field>
      <Field label="Cell">
        <select
          value={asked['cell'] ?? 'conventional'}
          onChange={(event) => change({ cell: event.currentTarget.value })}
        >
          <option value="conventional">conventional</option>
          <option value="given">as in the record</option>
        </select>
      </Field>
    </div>
  )
}

interface MeasuredChoiceProps {
  readonly measured: MeasuredPattern | null
  readonly setMeasured: (measured: MeasuredPattern | null) => void
}

/** A measured pattern over the computed one; the file is read here and goes nowhere. */
function MeasuredChoice({ measured, setMeasured }: MeasuredChoiceProps) {
  const [fault, setFault] = useState<string | null>(null)
  async function read(input: HTMLInputElement): Promise<void> {
    const [file] = input.files ?? []
    if (file === undefined) return
    try {
      const found = readMeasuredPattern(file.name, await file.text())
      setMeasured(found)
      setFault(null)
      announce(`${file.name} is drawn, ${found.points.length} points`)
    } catch (error) {
      setFault((error as Error).message)
    }
    input.value = ''
  }
  return (
    <>
      <Field
        label="Measured pattern"
        hint="Two columns, 2θ in degrees and intensity (.xy, .dat, .csv). It stays in this browser."
      >
        <input type="file" accept=".xy,.xye,.dat,.csv,.txt,.asc" onChange={(event) => void read(event.currentTarget)} />
      </Field>
      {fault !== null && (
        <p class="refusal" role="alert">
          {fault}
        </p>
      )}
      {measured !== null && (
        <p>
          <span class="swatch" /> {measured.name}, {measured.points.length} points{' '}
          <button type="button" onClick={() => setMeasured(null)}>
            Take it away
          </button>
        </p>
      )}
    </>
  )
}

function PeakTable({ peaks, name }: { readonly peaks: readonly Peak[]; readonly name: string }) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? peaks : peaks.slice(0, FEW)
  function save(): void {
    const rows = peaks.map(({ twoTheta, d, intensity, reflections }) => {
      const planes = reflections.map(({ hkl, multiplicity }) => `${hkl.join(' ')} x${multiplicity}`).join('; ')
      return `${twoTheta},${d},${intensity},${planes}`
    })
    const table = ['2theta,d,intensity,planes', ...rows, ''].join('\n')
    saveBlob(new Blob([table], { type: 'text/csv' }), `${name}-peaks.csv`)
  }
  return (
    <>
      <h3>{peaks.length === 1 ? '1 peak' : `${peaks.length} peaks`}</h3>
      <Wide label="Peaks">
        <table class="numbers right">
          <thead>
            <tr>
              <th scope="col">Planes</th>
              <th scope="col">2θ / °</th>
              <th scope="col">
                <i>d</i> / Å
              </th>
              <th scope="col">Intensity</th>
              <th scope="col">Multiplicity</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ twoTheta, d, intensity, reflections }) => (
              <tr key={twoTheta}>
                <th scope="row">
                  {reflections.map(({ hkl }, index) => (
                    <span key={index}>
                      {index > 0 && ', '}
                      <MillerIndices hkl={hkl} />
                    </span>
                  ))}
                </th>
                <td>{twoTheta.toFixed(3)}</td>
                <td>{d.toFixed(4)}</td>
                <td>{intensity.toFixed(2)}</td>
                <td>{reflections.map(({ multiplicity }) => multiplicity).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="buttons">
        {shown.length < peaks.length && (
          <button type="button" onClick={() => setShowsAll(true)}>
            Show all {peaks.length} peaks
          </button>
        )}
        <button type="button" onClick={save}>
          Save peaks as CSV
        </button>
      </p>
    </>
  )
}
