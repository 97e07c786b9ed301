import { JsonTree } from '../../parts/json-tree.tsx'
import type { SectionProps } from './section.ts'

/** The whole record. */
export function JsonSection({ material }: SectionProps) {
  return (
    <>
      <h2>JSON</h2>
      <JsonTree label="JSON of this material" value={material} />
    </>
  )
}
