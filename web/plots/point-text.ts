/** `Z_1` as Z₁. */
export function pointText(label: string): string {
  return label.replace(/_(\d)/, (_, digit: string) => '₀₁₂₃₄₅₆₇₈₉'[Number(digit)] ?? '')
}
