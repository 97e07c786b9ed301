import type { ComponentChildren } from 'preact'
import { functionalText, programText } from '../../../src/page/property-words.ts'
import { NamesOfRecords, RecordLinks } from '../../parts/names-of-records.tsx'
import { isDoubtful, materialsOf, statusWords, stepsOf } from '../job/job.ts'
import type { CellProps, Collection, Row } from '../materials/collections.ts'
import '../material/material.css'

const PROGRAM = 'workflow.subworkflows.application.name'
const FUNCTIONAL = 'workflow.subworkflows.model.functional'

/** A run without an scf says nothing of it. */
const CONVERGED: ReadonlyMap<string, string> = new Map([
  ['true', 'converged'],
  ['false', 'not converged'],
])

/** The list of jobs. */
export const JOBS: Collection = {
  name: 'jobs',
  title: 'Jobs',
  one: 'job',
  columns: [
    { path: 'name', title: 'Name' },
    { path: PROGRAM, title: 'Program', fields: ['workflow.subworkflows.application'], isMinor: true },
    {
      path: FUNCTIONAL,
      title: 'Functional',
      fields: ['workflow.subworkflows.application', 'workflow.subworkflows.model'],
      isMinor: true,
    },
    { path: '_material._id', title: 'Material', fields: ['_material', '_materials'] },
    { path: 'status', title: 'Status', fields: ['status', 'isConverged'] },
    { path: 'createdAt', title: 'Created', isMinor: true },
  ],
  facets: [
    { path: 'status', title: 'Status', wordsOf: (status) => status.replaceAll('-', ' ') },
    { path: 'isConverged', title: 'Converged', wordsOf: (value) => CONVERGED.get(value) ?? 'does not say' },
    { path: PROGRAM, title: 'Program', wordsOf: programText },
    { path: FUNCTIONAL, title: 'Functional', wordsOf: functionalText },
    { path: 'tags', title: 'Tags' },
  ],
  hasElements: false,
  isMadeByHand: true,
  searched: 'Words, field > 3 or {query}',
  help: 'jobs',
  isWhole: true,
  cell: JobCell,
  around: NamesOfMaterials,
}

function NamesOfMaterials({
  records,
  children,
}: {
  readonly records: readonly Row[]
  readonly children: ComponentChildren
}) {
  return <NamesOfRecords ids={{ materials: records.flatMap(materialsOf) }}>{children}</NamesOfRecords>
}

function JobCell({ path, record, otherwise }: CellProps) {
  if (path === PROGRAM) return eachOnce(stepsOf(record).map(({ program }) => program))
  if (path === FUNCTIONAL) return eachOnce(stepsOf(record).map(({ functional }) => functional))
  if (path === '_material._id') return <RecordLinks collection="materials" ids={materialsOf(record)} />
  if (path === 'status') return <span class={isDoubtful(record) ? 'doubtful' : undefined}>{statusWords(record)}</span>
  return <>{otherwise}</>
}

function eachOnce(words: readonly string[]) {
  return <>{[...new Set(words)].filter((word) => word !== '').join(', ')}</>
}
