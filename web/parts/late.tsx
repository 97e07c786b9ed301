import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A part of a page that comes in a file of its own, when it is first shown. */
export function late<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function Late(props: Props) {
    const [Part, setPart] = useState<{ readonly view: ComponentType<Props> } | null>(loaded && { view: loaded })
    useEffect(() => {
      if (Part !== null) return
      void load().then((view) => {
        loaded = view
        setPart({ view })
      })
    }, [])
    return Part === null ? null : <Part.view {...props} />
  }
}
