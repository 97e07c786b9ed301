/** Sides of what is drawn, in pixels from the corner above at the left. */
export interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Place on an axis that has a text. */
export interface Tick {
  /** Pixels. */
  readonly at: number
  readonly text: string
}
