import { isMine } from '../curate/ownership.ts'
import { RecordFiles } from '../curate/record-files.tsx'
import type { SectionProps } from './section.ts'

/** The files beside the record. */
export function FilesSection({ material, id }: SectionProps) {
  return (
    <>
      <h2>Files</h2>
      <RecordFiles collection="materials" id={id} isMine={isMine(material)} />
    </>
  )
}
