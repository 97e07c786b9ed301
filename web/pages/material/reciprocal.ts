import type { Body, Place } from '../../plots/turned-body.ts'

/** What the server tells of reciprocal space. */
export interface Reciprocal {
  readonly variation: string
  readonly convention: string
  readonly zone: Body
  readonly points: readonly { readonly label: string; readonly fraction: Place; readonly place: Place }[]
  readonly path: readonly (readonly string[])[]
  readonly reciprocalVectors: readonly Place[]
  readonly primitiveCell: Readonly<Record<string, unknown>>
}
