import { spaceGroupParts } from './space-group-parts.ts'
import './space-group.css'

/** The symbol of a space group as it is printed: letters in italics, a line above the axis of a rotoinversion, screw axes below the line. */
export function SpaceGroup({ symbol, number }: { readonly symbol: string; readonly number: number | null }) {
  return (
    <span class="space-group">
      {spaceGroupParts(symbol, number).map(({ text, kind }, index) => {
        if (kind === 'letter') return <i key={index}>{text}</i>
        if (kind === 'screw') return <sub key={index}>{text}</sub>
        if (kind === 'plain') return text
        return (
          <span key={index} class="rotoinversion">
            <span class="unseen">-</span>
            {text}
          </span>
        )
      })}
    </span>
  )
}
