import { pagePath } from '../../../src/page/addresses.ts'
import { Link } from '../../app/router.tsx'
import { Formula } from '../../parts/formula.tsx'
import type { PhaseEntry } from './phase-diagram.ts'
import { percentText, productsOf } from './phase-words.ts'

/** What an entry decomposes into, as chemists write it; nothing of one on the hull. */
export function Products({ entry, hasLinks = false }: { readonly entry: PhaseEntry; readonly hasLinks?: boolean }) {
  return (
    <>
      {productsOf(entry)?.map(({ _id, formula, fraction }, index) => (
        <span key={_id}>
          {index > 0 && ' + '}
          <span class="phase-share">{percentText(fraction)}</span>{' '}
          {hasLinks ? (
            <Link to={pagePath('material', { id: _id })}>
              <Formula text={formula} />
            </Link>
          ) : (
            <Formula text={formula} />
          )}
        </span>
      ))}
    </>
  )
}
