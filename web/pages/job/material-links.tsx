import { pagePath } from '../../../src/page/addresses.ts'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { Link } from '../../app/router.tsx'
import { Formula } from '../../parts/formula.tsx'

interface Named {
  readonly _id: string
  readonly name?: string
  readonly formula?: string
}

/** Links to materials by their names, as soon as these are known. */
export function MaterialLinks({ ids }: { readonly ids: readonly string[] }) {
  const { data } = useAnswer<readonly Named[]>(
    reading('/materials', {
      query: JSON.stringify({ _id: { $in: ids } }),
      projection: JSON.stringify({ fields: { name: 1, formula: 1 } }),
      limit: String(ids.length),
    }),
  )
  return (
    <span class="material-links">
      {ids.map((id) => {
        const found = data?.find(({ _id }) => _id === id)
        return (
          <span key={id}>
            <Link to={pagePath('material', { id })}>{found?.name ?? id}</Link>{' '}
            {found?.formula !== undefined && found.formula !== found.name && (
              <span class="fine">
                <Formula text={found.formula} />
              </span>
            )}
          </span>
        )
      })}
    </span>
  )
}
