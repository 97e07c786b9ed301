import { useEffect, useMemo, useRef } from 'preact/hooks'

/** How long a mouse rests on a row before it is meant. */
const PAUSE_MS = 150

interface Pointing {
  readonly enter: (event: PointerEvent, id: string) => void
  readonly leave: () => void
}

/** Tells on which row a mouse rests; a row that it only passes is not told, nor one that a finger touches. */
export function usePointing(onRest: (id: string) => void): Pointing {
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onRest)
  latest.current = onRest
  useEffect(() => () => clearTimeout(pause.current), [])
  return useMemo(
    () => ({
      enter({ pointerType }, id) {
        clearTimeout(pause.current)
        if (pointerType === 'mouse') pause.current = setTimeout(() => latest.current(id), PAUSE_MS)
      },
      leave: () => clearTimeout(pause.current),
    }),
    [],
  )
}
