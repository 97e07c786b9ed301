const NUMBERS = /^\s*[-+\d.eE]+(?:\s+[-+\d.eE]+){2}\b/

/** Tells whether a text could be a structure file: CIF, POSCAR, XYZ, Quantum ESPRESSO or JSON. What it is, the server says. */
export function looksLikeStructure(text: string): boolean {
  const lines = text.split(/\r?\n/)
  if (/^\s*_cell_length_a\b/m.test(text) || /^\s*ATOMIC_POSITIONS\b/im.test(text)) return true
  if (/^\s*\{/.test(text) && /"(?:basis|lattice|sites|cell)"\s*:/.test(text)) return true
  const isPoscar =
    /^\s*-?\d+(?:\.\d*)?\s*$/.test(lines[1] ?? '') && lines.slice(2, 5).every((line) => NUMBERS.test(line))
  const isXyz = /^\s*\d+\s*$/.test(lines[0] ?? '') && /^\s*[A-Z][a-z]?\s+[-\d]/.test(lines[2] ?? '')
  return lines.length >= 3 && (isPoscar || isXyz)
}
