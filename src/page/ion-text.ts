/** An element with its oxidation state, as records and CIFs have it: `Fe3+`, `O2-`, `Na1+`, `Fe0+`. */
export function ionText(element: string, oxidationState: number): string {
  return `${element}${Number(Math.abs(oxidationState).toFixed(4))}${oxidationState < 0 ? '-' : '+'}`
}
