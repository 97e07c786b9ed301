import type { PageAddress } from '../../../src/page/addresses.ts'
import type { Material } from './material.ts'

/** What every section of the page is given. */
export interface SectionProps {
  readonly id: string
  readonly material: Material
  /** What the material shows of its properties; null while that is on its way. */
  readonly properties: unknown
  readonly address: PageAddress
  /** Puts parameters into the address, or takes them out where null; what is shown follows. */
  readonly change: (parameters: Readonly<Record<string, string | null>>) => void
}
