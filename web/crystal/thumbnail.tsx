import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Theme } from '../../src/page/scene/colors.ts'
import type { MaterialFields } from '../../src/page/scene/material-structure.ts'
import { shownTheme } from '../app/theme.ts'
import { askStructure, isDrawn, keptStructure, type MaterialVersion } from './asked-structures.ts'
import { drawnPicture, type SmallLook, smallPicture, whenIdle } from './small-picture.ts'
import './thumbnail.css'

interface ThumbnailProps {
  /** A material that is stored, which is asked for, or one that is known. */
  readonly of: MaterialVersion | MaterialFields
  /** Pixels of a side. */
  readonly size: number
}

/** What came into sight. */
interface Seen {
  readonly key: string | MaterialFields
  /** Null for none that could be drawn so small. */
  readonly structure: MaterialFields | null
}

/** How far below what is in sight pictures are asked for, too. */
const AHEAD = '200px'

/** The crystal of a material, small, asked for and drawn when it comes into sight. What it shows is said beside it. */
export function Thumbnail({ of, size }: ThumbnailProps) {
  const place = useRef<HTMLCanvasElement>(null)
  const [seen, setSeen] = useState<Seen | null>(null)
  const key = 'basis' in of ? of : `${of.id} ${of.version}`
  const known = 'basis' in of ? undefined : keptStructure(of)
  const structure = known ?? (seen?.key === key ? seen.structure : undefined)
  const theme: Theme = shownTheme.value

  useEffect(() => {
    const canvas = place.current
    if (canvas === null || structure !== undefined) return
    let takeBack = () => {}
    const sight = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        sight.disconnect()
        if ('basis' in of) setSeen({ key, structure: isDrawn(of) ? of : null })
        else takeBack = askStructure(of, (found) => setSeen({ key, structure: found }))
      },
      { rootMargin: AHEAD },
    )
    sight.observe(canvas)
    return () => {
      takeBack()
      sight.disconnect()
    }
  }, [key, structure === undefined])

  useLayoutEffect(() => {
    const canvas = place.current
    if (canvas === null) return
    const pixels = Math.round(size * window.devicePixelRatio)
    // What was there of another material goes.
    canvas.width = pixels
    canvas.height = pixels
    if (structure === undefined || structure === null) return
    const look: SmallLook = { theme, pixels }
    const show = () => canvas.getContext('2d')?.putImageData(smallPicture(structure, look), 0, 0)
    if (drawnPicture(structure, look) !== undefined) return void show()
    return whenIdle(show)
  }, [structure, size, theme])

  return (
    <span class={structure === null ? 'thumbnail none' : 'thumbnail'} aria-hidden="true">
      <canvas ref={place} width={0} height={0} style={{ width: `${size}px`, height: `${size}px` }} />
    </span>
  )
}
