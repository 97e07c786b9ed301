/** A symbol of the Strukturbericht as it is printed: `E2_1` with its 1 below the line. */
export function Strukturbericht({ symbol }: { readonly symbol: string }) {
  const [first, ...below] = symbol.split('_')
  return (
    <>
      {first}
      {below.map((text, index) => (
        <sub key={index}>{text}</sub>
      ))}
    </>
  )
}
