/** A chemical formula as chemists write it: numbers below the line. */
export function Formula({ text }: { readonly text: string }) {
  const parts = text.match(/[\d.]+|[^\d.]+/g) ?? []
  return (
    <span class="formula">
      {parts.map((part, index) => (/^[\d.]/.test(part) ? <sub key={index}>{part}</sub> : part))}
    </span>
  )
}
