/** Wavelengths in Å (International Tables C, table 4.2.2.1, as programs round it); `Ka` is the mean of both lines, the first twice. */
export const RADIATIONS = {
  CuKa: 1.54184,
  CuKa1: 1.54056,
  CuKa2: 1.54439,
  CuKb1: 1.39222,
  MoKa: 0.71073,
  MoKa1: 0.7093,
  MoKa2: 0.71359,
  MoKb1: 0.63229,
  CrKa: 2.291,
  CrKa1: 2.2897,
  FeKa: 1.93735,
  FeKa1: 1.93604,
  CoKa: 1.79026,
  CoKa1: 1.78896,
  AgKa: 0.560885,
  AgKa1: 0.559421,
} as const satisfies Readonly<Record<string, number>>

export type RadiationName = keyof typeof RADIATIONS

/** Neutrons have no lines; where no wavelength is asked for it is that of 2,200 m/s, to which their tables refer, in Å. */
export const NEUTRON = 'neutron'
export const USUAL_NEUTRON_WAVELENGTH = 1.798

export const USUAL_RADIATION: RadiationName = 'CuKa'

/** Looks a radiation up by its name, in upper or lower case. */
export function findRadiation(name: string): RadiationName | undefined {
  const meant = name.toLowerCase()
  return (Object.keys(RADIATIONS) as RadiationName[]).find((known) => known.toLowerCase() === meant)
}
