import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fittingIn } from './fitting.ts'

/** Pixels between two tags, of the lines around one, and of what says how many more there are. */
const [GAP, BORDERS, TELLING] = [4, 2, 24]

/** Tags on one line: those that fit whole, and how many more there are. Whoever listens hears all of them. */
export function TagLine({ tags }: { readonly tags: readonly string[] }) {
  const line = useRef<HTMLSpanElement>(null)
  const [fitting, setFitting] = useState(tags.length)
  useLayoutEffect(() => {
    const { current } = line
    if (current === null) return
    let widths: readonly number[] = []
    const watch = new ResizeObserver(() => {
      const room = current.clientWidth
      if (room === 0) return
      // Before the first measure all of them are there; one that is cut says how wide it would be.
      if (widths.length === 0) widths = Array.from(current.children, (tag) => tag.scrollWidth + BORDERS)
      // The first one is shown in any case, with an ellipsis where it must be.
      setFitting(Math.max(1, fittingIn(room, widths, GAP, TELLING)))
    })
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  const more = tags.length - fitting
  return (
    <span class="tag-line" ref={line} title={more > 0 ? tags.join(', ') : undefined}>
      {tags.map((tag, index) => (
        <span key={tag} class={index < fitting ? 'tag-text' : 'unseen'}>
          {tag}
        </span>
      ))}
      {more > 0 && (
        <span class="tag-more" aria-hidden="true">
          +{more}
        </span>
      )}
    </span>
  )
}

/** All tags, on as many lines as they need. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span class="tags">
      {tags.map((tag) => (
        <span key={tag} class="tag-text">
          {tag}
        </span>
      ))}
    </span>
  )
}
