import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Something that can be done by choosing its name, and by a key where it has one. */
export interface Command {
  readonly title: string
  readonly group:
    | 'This page'
    | 'Go to'
    | 'Recent'
    | 'Theme'
    | 'Help'
    | 'Session'
    | 'Materials'
    | 'Sets'
    | 'Methods'
    | 'Jobs'
  /** Of a record, which may have the name of another. */
  readonly id?: string
  /** Said beside the name of a material. */
  readonly formula?: string
  /** One letter or sign; it counts where nothing is being written. */
  readonly key?: string
  readonly run: () => void
}

/** What the page that is shown offers. */
export const pageCommands = signal<readonly Command[]>([])

/** Offers what can be done on a page, as long as it is shown. What is given has to be the same thing while nothing changes. */
export function usePageCommands(commands: readonly Command[]): void {
  useEffect(() => {
    pageCommands.value = [...pageCommands.value, ...commands]
    return () => {
      pageCommands.value = pageCommands.value.filter((one) => !commands.includes(one))
    }
  }, [commands])
}
