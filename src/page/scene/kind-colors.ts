import { type Rgb, rgbOf, type Theme, visibleOn } from './colors.ts'
import { lookOf } from './element-looks.ts'
import type { Scene } from './scene.ts'

/** Colours in which the atoms of a scene are drawn, one per kind: those of their elements, or of the structures that are laid on each other. */
export function kindColors({ elements, layers }: Scene, theme: Theme): readonly Rgb[] {
  return layers?.colors ?? elements.map((symbol) => visibleOn(theme, rgbOf(lookOf(symbol).color)))
}
