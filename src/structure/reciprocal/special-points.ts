import type { Vector3 } from '../linear-algebra.ts'
import type { LatticeVariation } from './lattice-variation.ts'
import { MONOCLINIC_AND_TRICLINIC } from './low-symmetry-points.ts'
import type { StandardLattice } from './standard-lattice.ts'
import type { SpecialPoints, ZoneTable } from './zone-table.ts'

const O: Vector3 = [0, 0, 0]

/**
 * Points and paths of W. Setyawan and S. Curtarolo, "High-throughput electronic band structure calculations: challenges and tools", Comput. Mater.
 * Sci. 49, 299 (2010), tables 2 to 21 and figures 1 to 24.
 */
export const ZONE_TABLES: Readonly<Record<LatticeVariation, ZoneTable>> = {
  CUB: {
    path: 'Γ X M Γ R X|M R',
    points: () => ({ Γ: O, M: [0.5, 0.5, 0], R: [0.5, 0.5, 0.5], X: [0, 0.5, 0] }),
  },
  FCC: {
    path: 'Γ X W K Γ L U W L K|U X',
    points: () => ({
      Γ: O,
      K: [0.375, 0.375, 0.75],
      L: [0.5, 0.5, 0.5],
      U: [0.625, 0.25, 0.625],
      W: [0.5, 0.25, 0.75],
      X: [0.5, 0, 0.5],
    }),
  },
  BCC: {
    path: 'Γ H N Γ P H|P N',
    points: () => ({ Γ: O, H: [0.5, -0.5, 0.5], P: [0.25, 0.25, 0.25], N: [0, 0, 0.5] }),
  },
  TET: {
    path: 'Γ X M Γ Z R A Z|X R|M A',
    points: () => ({
      Γ: O,
      A: [0.5, 0.5, 0.5],
      M: [0.5, 0.5, 0],
      R: [0, 0.5, 0.5],
      X: [0, 0.5, 0],
      Z: [0, 0, 0.5],
    }),
  },
  BCT1: {
    path: 'Γ X M Γ Z P N Z_1 M|X P',
    points: ({ a, c }) => {
      const eta = (1 + (c / a) ** 2) / 4
      return {
        Γ: O,
        M: [-0.5, 0.5, 0.5],
        N: [0, 0.5, 0],
        P: [0.25, 0.25, 0.25],
        X: [0, 0, 0.5],
        Z: [eta, eta, -eta],
        Z_1: [-eta, 1 - eta, eta],
      }
    },
  },
  BCT2: {
    path: 'Γ X Y Σ Γ Z Σ_1 N P Y_1 Z|X P',
    points: ({ a, c }) => {
      const ratio = (a / c) ** 2
      const [eta, zeta] = [(1 + ratio) / 4, ratio / 2]
      return {
        Γ: O,
        N: [0, 0.5, 0],
        P: [0.25, 0.25, 0.25],
        Σ: [-eta, eta, eta],
        Σ_1: [eta, 1 - eta, -eta],
        X: [0, 0, 0.5],
        Y: [-zeta, zeta, 0.5],
        Y_1: [0.5, 0.5, -zeta],
        Z: [0.5, 0.5, -0.5],
      }
    },
  },
  ORC: {
    path: 'Γ X S Y Γ Z U R T Z|Y T|U X|S R',
    points: () => ({
      Γ: O,
      R: [0.5, 0.5, 0.5],
      S: [0.5, 0.5, 0],
      T: [0, 0.5, 0.5],
      U: [0.5, 0, 0.5],
      X: [0.5, 0, 0],
      Y: [0, 0.5, 0],
      Z: [0, 0, 0.5],
    }),
  },
  ORCF1: { path: 'Γ Y T Z Γ X A_1 Y|T X_1|X A Z|L Γ', points: pointedFaceCentred },
  ORCF2: {
    path: 'Γ Y C D X Γ Z D_1 H C|C_1 Z|X H_1|H Y|L Γ',
    points: ({ a, b, c }) => {
      const eta = (1 + (a / b) ** 2 - (a / c) ** 2) / 4
      const phi = (1 + (c / b) ** 2 - (c / a) ** 2) / 4
      const delta = (1 + (b / a) ** 2 - (b / c) ** 2) / 4
      return {
        Γ: O,
        C: [0.5, 0.5 - eta, 1 - eta],
        C_1: [0.5, 0.5 + eta, eta],
        D: [0.5 - delta, 0.5, 1 - delta],
        D_1: [0.5 + delta, 0.5, delta],
        L: [0.5, 0.5, 0.5],
        H: [1 - phi, 0.5 - phi, 0.5],
        H_1: [phi, 0.5 + phi, 0.5],
        X: [0, 0.5, 0.5],
        Y: [0.5, 0, 0.5],
        Z: [0.5, 0.5, 0],
      }
    },
  },
  ORCF3: { path: 'Γ Y T Z Γ X A_1 Y|X A Z|L Γ', points: pointedFaceCentred },
  ORCI: {
    path: 'Γ X L T W R X_1 Z Γ Y S W|L_1 Y|Y_1 Z',
    points: ({ a, b, c }) => {
      const [zeta, eta] = [(1 + (a / c) ** 2) / 4, (1 + (b / c) ** 2) / 4]
      const [delta, mu] = [(b * b - a * a) / (4 * c * c), (a * a + b * b) / (4 * c * c)]
      return {
        Γ: O,
        L: [-mu, mu, 0.5 - delta],
        L_1: [mu, -mu, 0.5 + delta],
        L_2: [0.5 - delta, 0.5 + delta, -mu],
        R: [0, 0.5, 0],
        S: [0.5, 0, 0],
        T: [0, 0, 0.5],
        W: [0.25, 0.25, 0.25],
        X: [-zeta, zeta, zeta],
        X_1: [zeta, 1 - zeta, -zeta],
        Y: [eta, -eta, eta],
        Y_1: [1 - eta, eta, -eta],
        Z: [0.5, 0.5, -0.5],
      }
    },
  },
  ORCC: {
    path: 'Γ X S R A Z Γ Y X_1 A_1 T Y|Z T',
    points: ({ a, b }) => {
      const zeta = (1 + (a / b) ** 2) / 4
      return {
        Γ: O,
        A: [zeta, zeta, 0.5],
        A_1: [-zeta, 1 - zeta, 0.5],
        R: [0, 0.5, 0.5],
        S: [0, 0.5, 0],
        T: [-0.5, 0.5, 0.5],
        X: [zeta, zeta, 0],
        X_1: [-zeta, 1 - zeta, 0],
        Y: [-0.5, 0.5, 0],
        Z: [0, 0, 0.5],
      }
    },
  },
  HEX: {
    path: 'Γ M K Γ A L H A|L M|K H',
    points: () => ({
      Γ: O,
      A: [0, 0, 0.5],
      H: [1 / 3, 1 / 3, 0.5],
      K: [1 / 3, 1 / 3, 0],
      L: [0.5, 0, 0.5],
      M: [0.5, 0, 0],
    }),
  },
  RHL1: {
    path: 'Γ L B_1|B Z Γ X|Q F P_1 Z|L P',
    points: ({ alpha }) => {
      const cosine = Math.cos(radians(alpha))
      const eta = (1 + 4 * cosine) / (2 + 4 * cosine)
      const nu = 0.75 - eta / 2
      return {
        Γ: O,
        B: [eta, 0.5, 1 - eta],
        B_1: [0.5, 1 - eta, eta - 1],
        F: [0.5, 0.5, 0],
        L: [0.5, 0, 0],
        L_1: [0, 0, -0.5],
        P: [eta, nu, nu],
        P_1: [1 - nu, 1 - nu, 1 - eta],
        P_2: [nu, nu, eta - 1],
        Q: [1 - nu, nu, 0],
        X: [nu, 0, -nu],
        Z: [0.5, 0.5, 0.5],
      }
    },
  },
  RHL2: {
    path: 'Γ P Z Q Γ F P_1 Q_1 L Z',
    points: ({ alpha }) => {
      const eta = 1 / (2 * Math.tan(radians(alpha) / 2) ** 2)
      const nu = 0.75 - eta / 2
      return {
        Γ: O,
        F: [0.5, -0.5, 0],
        L: [0.5, 0, 0],
        P: [1 - nu, -nu, 1 - nu],
        P_1: [nu, nu - 1, nu - 1],
        Q: [eta, eta, eta],
        Q_1: [1 - eta, -eta, -eta],
        Z: [0.5, -0.5, 0.5],
      }
    },
  },
  ...MONOCLINIC_AND_TRICLINIC,
}

/** The first and the third face-centred orthorhombic zone. */
function pointedFaceCentred({ a, b, c }: StandardLattice): SpecialPoints {
  const zeta = (1 + (a / b) ** 2 - (a / c) ** 2) / 4
  const eta = (1 + (a / b) ** 2 + (a / c) ** 2) / 4
  return {
    Γ: O,
    A: [0.5, 0.5 + zeta, zeta],
    A_1: [0.5, 0.5 - zeta, 1 - zeta],
    L: [0.5, 0.5, 0.5],
    T: [1, 0.5, 0.5],
    X: [0, eta, eta],
    X_1: [1, 1 - eta, 1 - eta],
    Y: [0.5, 0, 0.5],
    Z: [0.5, 0.5, 0],
  }
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
