/** One bohr in Å (CODATA 2018). */
export const ANGSTROM_PER_BOHR = 0.529177210903
