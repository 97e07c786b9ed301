import { moved, zoomed } from './curve.ts'
import type { Tick } from './frame.ts'
import { type Ends, ticksOf, tickText } from './scale.ts'

/** Axis of a plot of curves. */
export interface PlotAxis {
  readonly title: string
  /** Numbers that are shown at first. */
  readonly ends: Ends
  /** Numbers that there are. */
  readonly reach: Ends
  readonly isLog?: boolean
  /** Places with names, in the place of numbers. */
  readonly marks?: readonly { readonly at: number; readonly text: string }[]
}

/** Ends after a zoom about a place; by logarithms where the axis has them. */
export function zoomedBy(axis: PlotAxis, ends: Ends, by: { readonly factor: number; readonly about: number }): Ends {
  if (axis.isLog !== true) return zoomed(ends, axis.reach, by)
  return powers(zoomed(logs(ends), logs(axis.reach), { ...by, about: Math.log(by.about) }))
}

/** Ends moved by a share of what is shown. */
export function movedBy(axis: PlotAxis, ends: Ends, share: number): Ends {
  return axis.isLog === true ? powers(moved(logs(ends), logs(axis.reach), share)) : moved(ends, axis.reach, share)
}

function logs([from, to]: Ends): Ends {
  return [Math.log(from), Math.log(to)]
}

function powers([from, to]: Ends): Ends {
  return [Math.exp(from), Math.exp(to)]
}

/** Ends of what was drawn around, within what there is. */
export function between(one: number, other: number, [from, to]: Ends): Ends {
  const [least, most] = [Math.max(from, Math.min(one, other)), Math.min(to, Math.max(one, other))]
  return least < most ? [least, most] : [from, to]
}

/** Whether all that there is is shown. */
export function isWhole({ reach }: PlotAxis, ends: Ends): boolean {
  const room = Math.abs(reach[1] - reach[0]) * 1e-9
  return Math.abs(ends[0] - reach[0]) <= room && Math.abs(ends[1] - reach[1]) <= room
}

/** Ticks of what is shown: places with names, or round numbers. */
export function ticksIn(
  { marks, isLog }: PlotAxis,
  ends: Ends,
  { at, room }: { readonly at: (value: number) => number; readonly room: number },
) {
  if (marks !== undefined)
    return spaced(
      marks
        .filter((mark) => mark.at >= ends[0] && mark.at <= ends[1])
        .map((mark) => ({ at: at(mark.at), text: mark.text })),
    )
  return ticksOf(ends, room, isLog).map((tick) => ({ at: at(tick), text: tickText(tick).replace('-', '−') }))
}

/** Pixels that a letter takes, and what is between two names. */
const [LETTER, BETWEEN] = [8, 4]

/** Names that do not lie upon each other, whichever way the places go: those that have no room are left out, their lines stay. */
export function spaced(ticks: readonly Tick[]): readonly Tick[] {
  let last: Tick | null = null
  const halfOf = ({ text }: Tick) => (text.length * LETTER) / 2
  return ticks.map((tick) => {
    const room = last === null ? 0 : halfOf(last) + BETWEEN + halfOf(tick)
    if (tick.text === '' || (last !== null && Math.abs(tick.at - last.at) < room)) return { ...tick, text: '' }
    last = tick
    return tick
  })
}
