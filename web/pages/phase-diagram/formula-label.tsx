interface FormulaLabelProps {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly class?: string
}

const LOWERED = 4

/** A formula within a drawing: numbers below the line. */
export function FormulaLabel({ text, anchor, ...place }: FormulaLabelProps) {
  const parts = text.match(/[\d.]+|[^\d.]+/g) ?? []
  return (
    <text text-anchor={anchor} {...place}>
      {parts.map((part, index) => {
        const isNumber = /^[\d.]/.test(part)
        const step = isNumber ? LOWERED : index === 0 ? 0 : -LOWERED
        return (
          <tspan key={index} dy={step} font-size={isNumber ? '72%' : undefined}>
            {part}
          </tspan>
        )
      })}
    </text>
  )
}
