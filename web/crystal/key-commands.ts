import type { Axis } from '../../src/page/scene/structure.ts'

/** What a key does in the picture of a crystal. */
export type Command =
  | { readonly does: 'turn'; readonly right: number; readonly down: number }
  | { readonly does: 'spin'; readonly by: number }
  | { readonly does: 'zoom'; readonly by: number }
  | { readonly does: 'along'; readonly axis: Axis }
  | { readonly does: 'reset' | 'measure' | 'choose' | 'leave' }
  | { readonly does: 'step'; readonly by: 1 | -1 }

/** In radians. */
const STEP = Math.PI / 36
const CLOSER = 1.15

const PLAIN: Readonly<Record<string, Command>> = {
  ArrowLeft: { does: 'turn', right: -STEP, down: 0 },
  ArrowRight: { does: 'turn', right: STEP, down: 0 },
  ArrowUp: { does: 'turn', right: 0, down: -STEP },
  ArrowDown: { does: 'turn', right: 0, down: STEP },
  '<': { does: 'spin', by: STEP },
  '>': { does: 'spin', by: -STEP },
  '+': { does: 'zoom', by: CLOSER },
  '=': { does: 'zoom', by: CLOSER },
  '-': { does: 'zoom', by: 1 / CLOSER },
  '1': { does: 'along', axis: 0 },
  '2': { does: 'along', axis: 1 },
  '3': { does: 'along', axis: 2 },
  '0': { does: 'reset' },
  m: { does: 'measure' },
}

/** Only while measuring: otherwise Tab leaves the picture as it leaves everything. */
const MEASURING: Readonly<Record<string, Command>> = {
  Tab: { does: 'step', by: 1 },
  'Shift+Tab': { does: 'step', by: -1 },
  Enter: { does: 'choose' },
  ' ': { does: 'choose' },
  Escape: { does: 'leave' },
}

type KeyPress = { readonly key: string } & Readonly<Record<'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey', boolean>>

/** What a key does; null where it is for somebody else. */
export function commandOf(press: KeyPress, isMeasuring: boolean): Command | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null
  const key = press.key === 'Tab' && press.shiftKey ? 'Shift+Tab' : press.key
  return (isMeasuring ? MEASURING[key] : undefined) ?? PLAIN[key] ?? null
}

/** What the picture says of its keys. */
export const KEYS_TOLD =
  'Arrow keys turn it, plus and minus zoom, 1, 2 and 3 look along a, b and c, 0 goes back, M measures: then Tab goes from atom to atom, Enter takes one, Escape ends.'
