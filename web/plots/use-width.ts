import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** How wide an element is in CSS pixels, whenever that changes; what is drawn to it keeps its letters readable. */
export function useWidth(element: RefObject<Element | null>, otherwise: number): number {
  const [width, setWidth] = useState(otherwise)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    const watch = new ResizeObserver(([entry]) =>
      setWidth(Math.max(240, Math.round(entry?.contentRect.width ?? otherwise))),
    )
    watch.observe(current)
    return () => watch.disconnect()
  }, [element, otherwise])
  return width
}
