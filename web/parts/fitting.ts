/** How many things stand whole in a line, with what tells of the others behind them where not all do. Widths in pixels. */
export function fittingIn(room: number, widths: readonly number[], gap: number, telling: number): number {
  const ends: number[] = []
  for (const width of widths) ends.push((ends.at(-1) ?? -gap) + gap + width)
  if ((ends.at(-1) ?? 0) <= room) return widths.length
  return ends.filter((end) => end + gap + telling <= room).length
}
