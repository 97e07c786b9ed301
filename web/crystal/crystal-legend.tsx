import { hexOf, inkOn, rgbOf } from '../../src/page/scene/colors.ts'
import { describe } from '../../src/page/scene/describe.ts'
import { lookOf } from '../../src/page/scene/element-looks.ts'
import { mixtureWords, slicesOf } from '../../src/page/scene/mixtures.ts'
import { legendOf, type Scene } from '../../src/page/scene/scene.ts'
import type { Mixture } from '../../src/page/scene/structure.ts'

/** The elements in their colours, and what is drawn as a sentence. */
export function CrystalLegend({ scene }: { readonly scene: Scene }) {
  return (
    <div class="crystal-legend">
      <ul>
        {legendOf(scene.structure).map(({ symbol, count }) => {
          const color = rgbOf(lookOf(symbol).color)
          return (
            <li key={symbol}>
              <span class="crystal-element" style={{ background: hexOf(color), color: inkOn(color) }}>
                {symbol}
              </span>
              {count}
            </li>
          )
        })}
        {scene.mixtures.map((mixture) =>
          mixture === null ? null : (
            <li key={mixtureWords(mixture)}>
              <span class="crystal-mixture" style={{ background: wheelOf(mixture) }} />
              {mixtureWords(mixture)}
            </li>
          ),
        )}
      </ul>
      <p>{describe(scene)}</p>
    </div>
  )
}

/** The slices as they are drawn on the balls. */
function wheelOf(mixture: Mixture): string {
  const slices = slicesOf(mixture, 'light')
  const stops = slices.map(
    ({ end, color }, index) => `${hexOf(color)} ${100 * (slices[index - 1]?.end ?? 0)}% ${100 * end}%`,
  )
  return `conic-gradient(${stops.join(', ')})`
}
