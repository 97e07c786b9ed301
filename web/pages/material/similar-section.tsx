import { Link } from '../../app/router.tsx'
import { Thumbnail } from '../../crystal/thumbnail.tsx'
import { Formula } from '../../parts/formula.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { SpaceGroup } from '../../parts/space-group.tsx'
import { Wide } from '../../parts/wide.tsx'
import { type Material, numberAt, rounded, spaceGroupOf, textAt } from './material.ts'
import type { SectionProps } from './section.ts'
import { useAnswer } from './use-answer.ts'

interface Likeness {
  readonly title: string
  readonly told: string
  readonly query: object
}

/** What is asked of the other materials, the nearest first. */
function likenessesOf(material: Material): readonly Likeness[] {
  const [hash, scaledHash] = [textAt(material, 'hash'), textAt(material, 'scaledHash')]
  const [anonymous, group] = [textAt(material, 'anonymousFormula'), spaceGroupOf(material)]
  return [
    ...(hash === undefined
      ? []
      : [{ title: 'The same structure', told: 'Equal cell and sites (hash).', query: { hash } }]),
    ...(scaledHash === undefined
      ? []
      : [
          {
            title: 'The same but for its size',
            told: 'Equal when the cell is scaled (scaledHash).',
            query: { scaledHash, ...(hash === undefined ? {} : { hash: { $ne: hash } }) },
          },
        ]),
    ...(anonymous === undefined || group === null
      ? []
      : [
          {
            title: 'Built alike',
            told: `Composition ${anonymous} in space group ${group.symbol}: often the same structure type.`,
            query: { anonymousFormula: anonymous, 'spaceGroup.number': group.number },
          },
        ]),
  ]
}

const MOST = 20
const FIELDS = { name: 1, formula: 1, spaceGroup: 1, volumePerAtom: 1, 'lattice.a': 1 }

/** Materials that are like this one, among those that the reader sees. */
export function SimilarSection({ material, id }: SectionProps) {
  return (
    <>
      <h2>Similar materials</h2>
      {likenessesOf(material).map((likeness) => (
        <Alike key={likeness.title} likeness={likeness} id={id} />
      ))}
    </>
  )
}

function Alike({ likeness, id }: { readonly likeness: Likeness; readonly id: string }) {
  const { title, told, query } = likeness
  const all = JSON.stringify(query)
  const { data, error } = useAnswer<readonly Material[]>('/materials', {
    query: JSON.stringify({ ...query, _id: { $ne: id } }),
    projection: JSON.stringify({ fields: FIELDS, limit: MOST }),
  })
  return (
    <section>
      <h3>{title}</h3>
      <p class="fine">
        {told} <Link to={`/materials?query=${encodeURIComponent(all)}`}>As a list</Link>
      </p>
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton lines={2} />}
      {data?.length === 0 && <p>None.</p>}
      {data !== null && data.length > 0 && (
        <Wide label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Formula</th>
                <th scope="col">Space group</th>
                <th scope="col">Volume an atom / Å³</th>
              </tr>
            </thead>
            <tbody>
              {data.map((one) => {
                const group = spaceGroupOf(one)
                const volume = numberAt(one, 'volumePerAtom')
                return (
                  <tr key={String(one['_id'])}>
                    <th scope="row">
                      <Thumbnail id={String(one['_id'])} size={40} />
                      <Link to={`/materials/${encodeURIComponent(String(one['_id']))}`}>
                        {textAt(one, 'name') ?? 'Unnamed'}
                      </Link>
                    </th>
                    <td>
                      <Formula text={textAt(one, 'formula') ?? ''} />
                    </td>
                    <td>{group !== null && <SpaceGroup {...group} />}</td>
                    <td>{volume === undefined ? '' : rounded(volume, 3)}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </Wide>
      )}
    </section>
  )
}
