/** What is shown until there is something to show. */
export function Skeleton({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" aria-busy="true">
      <span class="unseen">Loading…</span>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} class="skeleton-line" />
      ))}
    </div>
  )
}
