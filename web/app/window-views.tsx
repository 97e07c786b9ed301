import { useEffect, useState } from 'preact/hooks'
import { CommandPalette } from '../parts/command-palette.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { askKinds } from '../schema/ask-kinds.ts'
import type { Kind } from '../schema/kind.ts'
import { allCommands } from './commands.ts'
import { findRecords } from './found-records.ts'
import { SHELL_KEYS } from './keys.ts'
import { pageCommands } from './page-commands.ts'
import { me } from './session-state.ts'

interface WindowProps {
  readonly onClose: () => void
}

/** Everything that can be done here, by its name. */
export function CommandWindow({ onClose }: WindowProps) {
  const [kinds, setKinds] = useState<readonly Kind[]>([])
  useEffect(() => {
    // Without them there is the rest.
    if (me.value) askKinds().then(setKinds, () => null)
  }, [])
  return (
    <Dialog title="Commands" onClose={onClose}>
      <CommandPalette commands={allCommands(kinds)} find={me.value ? findRecords : undefined} onChosen={onClose} />
    </Dialog>
  )
}

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Which keys do what. */
export function ShortcutWindow({ onClose }: WindowProps) {
  const ofPage = pageCommands.value.flatMap(({ key, title }) => (key === undefined ? [] : [[key, title] as const]))
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Keys title="Everywhere" keys={SHELL_KEYS} />
      {ofPage.length > 0 && <Keys title="On this page" keys={ofPage} />}
    </Dialog>
  )
}

interface KeysProps {
  readonly title: string
  readonly keys: readonly (readonly [key: string, says: string])[]
}

function Keys({ title, keys }: KeysProps) {
  return (
    <>
      <h3>{title}</h3>
      <dl class="keys">
        {keys.map(([key, says]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((part) => (
                <kbd key={part}>{part === 'Mod' ? MOD : part}</kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
