import { late } from '../../parts/late.tsx'
import { type Analysis, analysisOf, hasSeveral, type Item, isDrawable } from './import-item.ts'
import { readAs } from './import-items.ts'
import { Reports } from './reports.tsx'

const CrystalOfMaterial = late(async () => (await import('../../crystal/crystal-panel.tsx')).CrystalOfMaterial)

/** What a file holds, which of its structures is meant, and what is told of it. */
export function ItemDetails({ item }: { readonly item: Item }) {
  const analysis = analysisOf(item)
  const { state } = item
  return (
    <div class="item-details">
      {isDrawable(analysis) && (
        <div class="item-crystal">
          <CrystalOfMaterial material={{ ...analysis }} />
        </div>
      )}
      <div>
        {analysis !== null && <Facts analysis={analysis} />}
        {state.step === 'ready' && hasSeveral(item) && <FrameChoice item={item} />}
        {analysis?.warnings?.map(({ message }) => (
          <p key={message} class="import-warning">
            {message}
          </p>
        ))}
        {state.step === 'done' && <Reports reports={state.reports} />}
      </div>
    </div>
  )
}

/** Which of several structures of a file is taken. */
function FrameChoice({ item: { key, file, said } }: { readonly item: Item }) {
  return (
    <p>
      <label>
        Frame{' '}
        <input
          class="item-frame"
          type="number"
          min={-1}
          step={1}
          aria-label={`Frame of ${file.name}`}
          value={said.frame ?? 0}
          onChange={({ currentTarget }) => {
            const frame = Number(currentTarget.value)
            if (Number.isSafeInteger(frame)) readAs([key], { frame })
          }}
        />
      </label>
    </p>
  )
}

function Facts({ analysis: { format, lattice, volume, density } }: { readonly analysis: Analysis }) {
  const lengths = lattice === undefined ? [] : [lattice.a, lattice.b, lattice.c]
  const facts: readonly (readonly [string, string])[] = [
    ['Format', format],
    ['a, b, c', lengths.length === 0 ? '' : `${lengths.map((length) => length.toFixed(3)).join(', ')} Å`],
    ['Volume', volume === undefined ? '' : `${volume.toFixed(2)} Å³`],
    ['Density', density === undefined ? '' : `${density.toFixed(3)} g/cm³`],
  ]
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
