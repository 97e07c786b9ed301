/** Masses in Da of isotopes that people exchange in crystals: M. Wang et al., Chinese Phys. C 45, 030003 (2021). */
const MASSES: Readonly<Record<string, number>> = {
  H1: 1.007825,
  H2: 2.014102,
  H3: 3.016049,
  Li6: 6.015123,
  Li7: 7.016003,
  B10: 10.012937,
  B11: 11.009305,
  C12: 12,
  C13: 13.003355,
  N14: 14.003074,
  N15: 15.000109,
  O16: 15.994915,
  O17: 16.999132,
  O18: 17.99916,
}

/** The mass of one isotope; of those that are not listed the mass number, which is right to a thousandth. */
export function isotopeMass(element: string, massNumber: number): number {
  return MASSES[`${element}${massNumber}`] ?? massNumber
}
