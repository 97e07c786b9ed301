import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { windowShown } from './keys.ts'

type View = ComponentType<{ readonly onClose: () => void }>

/** The windows that open over any page. Their file comes when the first of them is asked for. */
export function Windows() {
  const shown = windowShown.value
  const [views, setViews] = useState<{ readonly commands: View; readonly shortcuts: View } | null>(null)
  useEffect(() => {
    if (shown === null || views !== null) return
    import('./window-views.tsx').then(
      ({ CommandWindow, ShortcutWindow }) => setViews({ commands: CommandWindow, shortcuts: ShortcutWindow }),
      () => {
        windowShown.value = null
      },
    )
  }, [shown, views])
  if (shown === null || views === null) return null
  const View = views[shown]
  return <View key={shown} onClose={() => close(shown)} />
}

/** One that was chosen in another stays open. */
function close(shown: 'commands' | 'shortcuts'): void {
  if (windowShown.value === shown) windowShown.value = null
}
