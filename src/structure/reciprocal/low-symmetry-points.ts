import type { Vector3 } from '../linear-algebra.ts'
import type { StandardLattice } from './standard-lattice.ts'
import type { SpecialPoints, ZoneTable } from './zone-table.ts'

const O: Vector3 = [0, 0, 0]

const obtuseTriclinic: ZoneTable = {
  path: 'X Γ Y|L Γ Z|N Γ M|R Γ',
  points: () => ({
    Γ: O,
    L: [0.5, 0.5, 0],
    M: [0, 0.5, 0.5],
    N: [0.5, 0, 0.5],
    R: [0.5, 0.5, 0.5],
    X: [0.5, 0, 0],
    Y: [0, 0.5, 0],
    Z: [0, 0, 0.5],
  }),
}

const acuteTriclinic: ZoneTable = {
  path: 'X Γ Y|L Γ Z|N Γ M|R Γ',
  points: () => ({
    Γ: O,
    L: [0.5, -0.5, 0],
    M: [0, 0, 0.5],
    N: [-0.5, -0.5, 0.5],
    R: [0, -0.5, 0.5],
    X: [0, -0.5, 0],
    Y: [0.5, 0, 0],
    Z: [-0.5, 0, 0.5],
  }),
}

/** The monoclinic and triclinic part of the tables of Setyawan and Curtarolo. */
export const MONOCLINIC_AND_TRICLINIC = {
  MCL: {
    path: 'Γ Y H C E M_1 A X H_1|M D Z|Y D',
    points: (lattice: StandardLattice): SpecialPoints => {
      const { cosine, sine2, bToC } = shapeOf(lattice)
      const eta = (1 - bToC * cosine) / (2 * sine2)
      const nu = 0.5 - (eta * cosine) / bToC
      return {
        Γ: O,
        A: [0.5, 0.5, 0],
        C: [0, 0.5, 0.5],
        D: [0.5, 0, 0.5],
        D_1: [0.5, 0, -0.5],
        E: [0.5, 0.5, 0.5],
        H: [0, eta, 1 - nu],
        H_1: [0, 1 - eta, nu],
        H_2: [0, eta, -nu],
        M: [0.5, eta, 1 - nu],
        M_1: [0.5, 1 - eta, nu],
        M_2: [0.5, eta, -nu],
        X: [0, 0.5, 0],
        Y: [0, 0, 0.5],
        Y_1: [0, 0, -0.5],
        Z: [0.5, 0, 0],
      }
    },
  },
  MCLC1: { path: 'Γ Y F L I|I_1 Z F_1|Y X_1|X Γ N|M Γ', points: firstCentred },
  MCLC2: { path: 'Γ Y F L I|I_1 Z F_1|N Γ M', points: firstCentred },
  MCLC3: { path: 'Γ Y F H Z I F_1|H_1 Y_1 X Γ N|M Γ', points: thirdCentred },
  MCLC4: { path: 'Γ Y F H Z I|H_1 Y_1 X Γ N|M Γ', points: thirdCentred },
  MCLC5: { path: 'Γ Y F L I|I_1 Z H F_1|H_1 Y_1 X Γ N|M Γ', points: fifthCentred },
  TRI1a: obtuseTriclinic,
  TRI1b: acuteTriclinic,
  TRI2a: obtuseTriclinic,
} as const satisfies Readonly<Record<string, ZoneTable>>

function firstCentred(lattice: StandardLattice): SpecialPoints {
  const { cosine, sine2, bToC, aToB } = shapeOf(lattice)
  const zeta = (2 - bToC * cosine) / (4 * sine2)
  const eta = 0.5 + (2 * zeta * cosine) / bToC
  const psi = 0.75 - aToB ** 2 / (4 * sine2)
  const phi = psi + (0.75 - psi) * bToC * cosine
  return {
    Γ: O,
    N: [0.5, 0, 0],
    N_1: [0, -0.5, 0],
    F: [1 - zeta, 1 - zeta, 1 - eta],
    F_1: [zeta, zeta, eta],
    F_2: [-zeta, -zeta, 1 - eta],
    F_3: [1 - zeta, -zeta, 1 - eta],
    I: [phi, 1 - phi, 0.5],
    I_1: [1 - phi, phi - 1, 0.5],
    L: [0.5, 0.5, 0.5],
    M: [0.5, 0, 0.5],
    X: [1 - psi, psi - 1, 0],
    X_1: [psi, 1 - psi, 0],
    X_2: [psi - 1, -psi, 0],
    Y: [0.5, 0.5, 0],
    Y_1: [-0.5, -0.5, 0],
    Z: [0, 0, 0.5],
  }
}

function thirdCentred(lattice: StandardLattice): SpecialPoints {
  const { cosine, sine2, bToC, aToB } = shapeOf(lattice)
  const mu = (1 + aToB ** -2) / 4
  const delta = cosine / (2 * aToB ** 2 * bToC)
  const zeta = mu - 0.25 + (1 - bToC * cosine) / (4 * sine2)
  const eta = 0.5 + (2 * zeta * cosine) / bToC
  const phi = 1 + zeta - 2 * mu
  const psi = eta - 2 * delta
  return {
    Γ: O,
    F: [1 - phi, 1 - phi, 1 - psi],
    F_1: [phi, phi - 1, psi],
    F_2: [1 - phi, -phi, 1 - psi],
    H: [zeta, zeta, eta],
    H_1: [1 - zeta, -zeta, 1 - eta],
    H_2: [-zeta, -zeta, 1 - eta],
    I: [0.5, -0.5, 0.5],
    M: [0.5, 0, 0.5],
    N: [0.5, 0, 0],
    N_1: [0, -0.5, 0],
    X: [0.5, -0.5, 0],
    Y: [mu, mu, delta],
    Y_1: [1 - mu, -mu, -delta],
    Y_2: [-mu, -mu, -delta],
    Y_3: [mu, mu - 1, delta],
    Z: [0, 0, 0.5],
  }
}

function fifthCentred(lattice: StandardLattice): SpecialPoints {
  const { cosine, sine2, bToC, aToB } = shapeOf(lattice)
  const zeta = (aToB ** -2 + (1 - bToC * cosine) / sine2) / 4
  const eta = 0.5 + (2 * zeta * cosine) / bToC
  const mu = eta / 2 + aToB ** -2 / 4 - cosine / (2 * aToB ** 2 * bToC)
  const nu = 2 * mu - zeta
  const omega = (4 * nu - 1 - sine2 / aToB ** 2) / (2 * bToC * cosine)
  const delta = (zeta * cosine) / bToC + omega / 2 - 0.25
  const rho = 1 - zeta * aToB ** 2
  return {
    Γ: O,
    F: [nu, nu, omega],
    F_1: [1 - nu, 1 - nu, 1 - omega],
    F_2: [nu, nu - 1, omega],
    H: [zeta, zeta, eta],
    H_1: [1 - zeta, -zeta, 1 - eta],
    H_2: [-zeta, -zeta, 1 - eta],
    I: [rho, 1 - rho, 0.5],
    I_1: [1 - rho, rho - 1, 0.5],
    L: [0.5, 0.5, 0.5],
    M: [0.5, 0, 0.5],
    N: [0.5, 0, 0],
    N_1: [0, -0.5, 0],
    X: [0.5, -0.5, 0],
    Y: [mu, mu, delta],
    Y_1: [1 - mu, -mu, -delta],
    Y_2: [-mu, -mu, -delta],
    Y_3: [mu, mu - 1, delta],
    Z: [0, 0, 0.5],
  }
}

function shapeOf({ a, b, c, alpha }: StandardLattice) {
  const radians = (alpha * Math.PI) / 180
  return { cosine: Math.cos(radians), sine2: Math.sin(radians) ** 2, bToC: b / c, aToB: a / b }
}
