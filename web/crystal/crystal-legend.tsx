import { hexOf, inkOn, rgbOf } from '../../src/page/scene/colors.ts'
import { describe } from '../../src/page/scene/describe.ts'
import { lookOf } from '../../src/page/scene/element-looks.ts'
import { legendOf, type Scene } from '../../src/page/scene/scene.ts'

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
      </ul>
      <p>{describe(scene)}</p>
    </div>
  )
}
