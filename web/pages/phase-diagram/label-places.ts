/** A text that is to stand beside a point. */
export interface WantedLabel {
  /** Pixels of the point. */
  readonly x: number
  readonly y: number
  /** Pixels that the text is wide. */
  readonly width: number
  /** Sides on which it may stand, the best first. */
  readonly sides: readonly Side[]
}

/** Where a text begins, ends or has its middle. */
export interface LabelPlace {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
}

export interface LabelBox {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Sides of a point, as steps to the right and down. */
export type Side = readonly [right: -1 | 0 | 1, down: -1 | 0 | 1]

const HEIGHT = 14
const GAP = 9

/** Places of labels that cover neither each other nor points; null for one that has no room. Those that come first have the choice. */
export function labelPlaces(
  labels: readonly WantedLabel[],
  taken: readonly LabelBox[],
  frame: LabelBox,
): readonly (LabelPlace | null)[] {
  const boxes = [...taken]
  return labels.map((label) => {
    for (const side of label.sides) {
      const place = placeAt(label, side)
      const box = boxOf(place, label.width)
      if (!isWithin(box, frame) || boxes.some((other) => overlap(box, other))) continue
      boxes.push(box)
      return place
    }
    return null
  })
}

/** Pixels that a formula is wide, its numbers being smaller. */
export function formulaWidth(text: string, size = 14): number {
  return [...text].reduce(
    (sum, letter) => sum + size * (/[\d.]/.test(letter) ? 0.45 : /[ilj]/.test(letter) ? 0.35 : 0.68),
    0,
  )
}

function placeAt({ x, y }: WantedLabel, [right, down]: Side): LabelPlace {
  const gap = right !== 0 && down !== 0 ? GAP * 0.85 : GAP
  return {
    x: x + right * gap,
    y: y + down * (gap + HEIGHT / 2) + HEIGHT * 0.36,
    anchor: right === 0 ? 'middle' : right > 0 ? 'start' : 'end',
  }
}

function boxOf({ x, y, anchor }: LabelPlace, width: number): LabelBox {
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return { left, right: left + width, top: y - HEIGHT * 0.85, bottom: y + HEIGHT * 0.3 }
}

function isWithin(box: LabelBox, frame: LabelBox): boolean {
  return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom
}

function overlap(one: LabelBox, other: LabelBox): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
