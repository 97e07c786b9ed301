/** An instant as people write it here; the exact one is in the attribute. `otherwise` where there is none. */
export function Instant({
  at,
  otherwise = '',
  isShort = false,
}: {
  readonly at: string | null | undefined
  readonly otherwise?: string
  /** The day alone. */
  readonly isShort?: boolean
}) {
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return <>{otherwise}</>
  return (
    <time dateTime={at} title={at}>
      {new Date(at).toLocaleString(
        undefined,
        isShort ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' },
      )}
    </time>
  )
}
