/** An instant as people write it here; the exact one is in the attribute. `otherwise` where there is none. */
export function Instant({
  at,
  otherwise = '',
}: {
  readonly at: string | null | undefined
  readonly otherwise?: string
}) {
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return <>{otherwise}</>
  return (
    <time dateTime={at} title={at}>
      {new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  )
}
