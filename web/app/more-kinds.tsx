import { useEffect, useState } from 'preact/hooks'
import { RefusalBox } from '../parts/refusal-box.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { askKinds } from '../schema/ask-kinds.ts'
import { type Kind, manyOf } from '../schema/kind.ts'
import { NAVIGATION } from './pages.ts'
import { address, Link } from './router.tsx'

/** Kinds of records that the server has, and that have no place in the bar. */
export function otherKinds(kinds: readonly Kind[]): readonly Kind[] {
  const known = NAVIGATION.map(([path]) => path)
  return kinds.filter(({ collection }) => !known.includes(`/${collection}`))
}

/** Links to their lists; asked for when the menu is opened. */
export function MoreKinds() {
  const [kinds, setKinds] = useState<readonly Kind[] | null | Error>(null)
  useEffect(() => {
    askKinds().then(setKinds, setKinds)
  }, [])
  const shown = address.value?.at['collection']
  if (kinds === null) return <Skeleton lines={3} />
  if (kinds instanceof Error) return <RefusalBox error={kinds} />
  return (
    <>
      {otherKinds(kinds).map((kind) => (
        <Link
          key={kind.collection}
          to={`/${kind.collection}`}
          aria-current={shown === kind.collection ? 'page' : undefined}
        >
          {manyOf(kind)}
        </Link>
      ))}
    </>
  )
}
