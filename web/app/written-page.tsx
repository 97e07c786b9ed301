import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PageAddress } from '../../src/page/addresses.ts'
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx'
import { RefusalBox } from '../parts/refusal-box.tsx'
import { written } from './written.ts'

/** Shows what the document came with, as its reader has left it, and brings it to life. */
export function WrittenPage({ address }: { readonly address: PageAddress }) {
  const place = useRef<HTMLDivElement>(null)
  const [error, setError] = useState<Error | null>(null)
  useLayoutEffect(() => {
    if (written !== null) place.current?.append(written)
  }, [])
  // A link within the page leads to another place of it.
  useEffect(() => {
    if (written === null) return
    import('../pages/docs/docs.tsx').then(
      ({ showPlace }) => showPlace(),
      () => setError(new Error('A part of this page did not come. Reload the page.')),
    )
  }, [address])
  if (written === null) return <NotFoundPage />
  return (
    <>
      {error !== null && <RefusalBox error={error} />}
      <div ref={place} />
    </>
  )
}
