import type { ComponentChildren } from 'preact'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { Link } from '../../app/router.tsx'
import { Thumbnail } from '../../crystal/thumbnail.tsx'
import { Formula } from '../../parts/formula.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { SpaceGroup } from '../../parts/space-group.tsx'
import { Wide } from '../../parts/wide.tsx'
import { type Material, spaceGroupOf, textAt } from './material.ts'
import type { SectionProps } from './section.ts'

interface Same extends Material {
  readonly rms: number
  readonly handedness: 'same' | 'opposite'
}

interface Similar extends Material {
  readonly distance: number
}

/** The materials that are the same crystal, and those that are built alike, among those that the reader sees. */
export function SimilarSection({ material, id }: SectionProps) {
  const path = `/materials/${encodeURIComponent(id)}`
  return (
    <>
      <h2>Same and similar materials</h2>
      <SameMaterials path={path} />
      <SimilarMaterials path={path} />
      <BuiltAlike material={material} />
    </>
  )
}

function SameMaterials({ path }: { readonly path: string }) {
  const { data, error } = useAnswer<{ readonly same: readonly Same[]; readonly exact: boolean }>(
    reading(`${path}/same`),
  )
  return (
    <Found
      title="The same crystal"
      told="Whatever its cell, origin, orientation and order of atoms: one can be laid upon the other."
      measures={['Distance of atoms / Å', 'Handedness']}
      found={data?.same ?? null}
      error={error}
      valuesOf={({ rms, handedness }) => [rms.toFixed(4), handedness]}
    >
      {data?.exact === false && <p class="fine">There may be more: not all candidates were compared.</p>}
    </Found>
  )
}

function SimilarMaterials({ path }: { readonly path: string }) {
  const { data, error } = useAnswer<{
    readonly similar: readonly Similar[]
    readonly records: number
    readonly exact: boolean
  }>(reading(`${path}/similar`))
  return (
    <Found
      title="Similar geometry"
      told="Of any elements and any size, the nearest first: below 0.01 the same arrangement, below 0.1 a distorted one."
      measures={['Distance']}
      found={data?.similar ?? null}
      error={error}
      valuesOf={({ distance }) => [distance.toFixed(4)]}
    >
      {data?.exact === false && <p class="fine">The time was up after {data.records.toLocaleString()} records.</p>}
    </Found>
  )
}

/** Composition and space group alone, as a list. */
function BuiltAlike({ material }: { readonly material: Material }) {
  const [anonymous, group] = [textAt(material, 'anonymousFormula'), spaceGroupOf(material)]
  if (anonymous === undefined || group === null) return null
  const query = JSON.stringify({ anonymousFormula: anonymous, 'spaceGroup.number': group.number })
  return (
    <p>
      <Link to={`/materials?query=${encodeURIComponent(query)}`}>
        All of composition {anonymous} in space group {group.symbol}
      </Link>
    </p>
  )
}

interface FoundProps<One extends Material> {
  readonly title: string
  readonly told: string
  readonly found: readonly One[] | null
  readonly error: unknown
  /** What is told of each beside what it is. */
  readonly measures: readonly string[]
  readonly valuesOf: (one: One) => readonly string[]
  readonly children?: ComponentChildren
}

function Found<One extends Material>({ title, told, found, error, measures, valuesOf, children }: FoundProps<One>) {
  return (
    <section>
      <h3>{title}</h3>
      <p class="fine">{told}</p>
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && found === null && <Skeleton lines={2} />}
      {found?.length === 0 && <p>None.</p>}
      {found !== null && found.length > 0 && (
        <Wide label={title}>
          <table>
            <thead>
              <tr>
                {['Name', 'Formula', 'Space group', ...measures].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.map((one) => (
                <FoundRow key={String(one['_id'])} one={one} values={valuesOf(one)} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      {children}
    </section>
  )
}

function FoundRow({ one, values }: { readonly one: Material; readonly values: readonly string[] }) {
  const id = String(one['_id'])
  const group = spaceGroupOf(one)
  return (
    <tr>
      <th scope="row">
        <Thumbnail of={{ id, version: textAt(one, 'updatedAt') ?? '' }} size={40} />
        <Link to={`/materials/${encodeURIComponent(id)}`}>{textAt(one, 'name') ?? 'Unnamed'}</Link>
      </th>
      <td>
        <Formula text={textAt(one, 'formula') ?? ''} />
      </td>
      <td>{group !== null && <SpaceGroup {...group} />}</td>
      {values.map((value, index) => (
        <td key={index}>{value}</td>
      ))}
    </tr>
  )
}
