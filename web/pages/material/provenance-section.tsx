import { ProvenancePart } from '../../provenance/provenance-part.tsx'
import type { SectionProps } from './section.ts'

/** What the material was made from, and what was made of it. */
export function ProvenanceSection({ id }: SectionProps) {
  return (
    <>
      <h2>Provenance</h2>
      <ProvenancePart collection="materials" id={id} />
    </>
  )
}
