/** Miller indices as they are printed: negative ones with a line above. */
export function MillerIndices({ hkl }: { readonly hkl: readonly number[] }) {
  // Beyond one digit they could not be told apart.
  const gap = hkl.some((index) => Math.abs(index) > 9) ? ' ' : ''
  return (
    <span class="miller">
      (
      {hkl.map((index, at) => (
        <span key={at}>
          {at > 0 && gap}
          {index < 0 ? (
            <span class="rotoinversion">
              <span class="unseen">-</span>
              {-index}
            </span>
          ) : (
            index
          )}
        </span>
      ))}
      )
    </span>
  )
}
