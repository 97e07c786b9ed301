import { useEffect, useState } from 'preact/hooks'
import type { PageAddress } from '../../../src/page/addresses.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { askKinds } from '../../schema/ask-kinds.ts'
import { collectionOf, referencesIn } from '../../schema/collection-of-kind.ts'
import { cellsOf } from '../../schema/kind-cells.tsx'
import type { Collection } from '../materials/collections.ts'
import { ListPage } from '../materials/materials-page.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'

/** Lists that show more than their schema says. */
const OWN_LISTS: Readonly<Record<string, () => Promise<Collection>>> = {
  jobs: async () => (await import('../jobs/job-list.tsx')).JOBS,
  properties: async () => (await import('../properties/property-list.tsx')).PROPERTIES,
}

/** The list of any kind of record. */
export function RecordsPage({ address }: { readonly address: PageAddress }) {
  const collection = useCollection(address.at['collection'] ?? '')
  if (collection === null) return <Skeleton lines={12} />
  if (collection === undefined) return <NotFoundPage />
  if (collection instanceof Error) return <RefusalBox error={collection} />
  return <ListPage address={address} collection={collection} />
}

/** What is said of a collection: null on its way, undefined where there is none. */
function useCollection(name: string): Collection | null | undefined | Error {
  const [collection, setCollection] = useState<Collection | null | undefined | Error>(null)
  useEffect(() => {
    const own = Object.hasOwn(OWN_LISTS, name) ? OWN_LISTS[name] : undefined
    ;(own ?? (() => madeCollection(name)))().then(setCollection, setCollection)
  }, [name])
  useEffect(() => {
    if (collection !== null && collection !== undefined && !(collection instanceof Error))
      document.title = `${collection.title} · Quarry`
  }, [collection])
  return collection
}

async function madeCollection(name: string): Promise<Collection | undefined> {
  const kind = (await askKinds()).find(({ collection }) => collection === name)
  return kind === undefined ? undefined : { ...collectionOf(kind), ...cellsOf(referencesIn(kind)) }
}
