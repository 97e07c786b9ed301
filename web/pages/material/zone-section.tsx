import { reading, useAnswer } from '../../api/use-answer.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { saveBlob } from '../../parts/save-blob.ts'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Wide } from '../../parts/wide.tsx'
import { pointText } from '../../plots/point-text.ts'
import { ZoneDrawing } from '../../plots/zone-drawing.tsx'
import { kpointsFile } from './kpoints-file.ts'
import { fractionText } from './material.ts'
import type { Reciprocal } from './reciprocal.ts'
import type { SectionProps } from './section.ts'

/** The Brillouin zone, its points, and the path for bands. */
export function ZoneSection({ id }: SectionProps) {
  const { data, error } = useAnswer<Reciprocal>(reading(`/materials/${encodeURIComponent(id)}/reciprocal`))
  return (
    <>
      <h2>Brillouin zone</h2>
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton />}
      {data !== null && <Zone reciprocal={data} id={id} />}
    </>
  )
}

function Zone({ reciprocal, id }: { readonly reciprocal: Reciprocal; readonly id: string }) {
  const { variation, convention, zone, points, path, reciprocalVectors, primitiveCell } = reciprocal
  const written = path.map((part) => part.map(pointText).join('–')).join(' | ')
  return (
    <div class="zone-columns">
      <ZoneDrawing
        zone={zone}
        points={points}
        path={path}
        vectors={reciprocalVectors}
        label={`Brillouin zone of ${variation} with ${zone.faces.length} faces, and the path ${written}.`}
      />
      <div>
        <dl class="facts">
          <div>
            <dt>Lattice variation</dt>
            <dd>{variation}</dd>
          </div>
          <div>
            <dt>Path</dt>
            <dd>
              {written}{' '}
              <CopyButton label="path" text={path.map((part) => part.join('-')).join('|')}>
                Copy path
              </CopyButton>
            </dd>
          </div>
        </dl>
        <Wide label="Special points">
          <table class="numbers right">
            <thead>
              <tr>
                <th scope="col">Point</th>
                {['b₁', 'b₂', 'b₃'].map((vector) => (
                  <th key={vector} scope="col">
                    <i>{vector}</i>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {points.map(({ label, fraction }) => (
                <tr key={label}>
                  <th scope="row">{pointText(label)}</th>
                  {fraction.map((component, axis) => (
                    <td key={axis}>{fractionText(component)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Wide>
        <p class="buttons">
          <button
            type="button"
            onClick={() => saveBlob(new Blob([kpointsFile({ path, points }, 40)], { type: 'text/plain' }), 'KPOINTS')}
          >
            Save KPOINTS
          </button>
          <button
            type="button"
            onClick={() =>
              saveBlob(
                new Blob([JSON.stringify({ name: id, ...primitiveCell })], { type: 'application/json' }),
                `${id}-primitive.json`,
              )
            }
          >
            Save the primitive cell
          </button>
        </p>
        <p class="fine">After {convention}. Fractions hold for their primitive cell: compute bands in that.</p>
      </div>
    </div>
  )
}
