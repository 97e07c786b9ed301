import { useEffect, useMemo, useState } from 'preact/hooks'

/** Whether the window is at least so wide, as CSS writes it. */
export function useWide(width: string): boolean {
  const media = useMemo(() => matchMedia(`(min-width: ${width})`), [width])
  const [isWide, setIsWide] = useState(media.matches)
  useEffect(() => {
    const end = new AbortController()
    media.addEventListener('change', () => setIsWide(media.matches), { signal: end.signal })
    return () => end.abort()
  }, [media])
  return isWide
}
