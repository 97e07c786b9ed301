import type { ComponentType } from 'preact'
import type { PageAddress, PageName } from '../../src/page/addresses.ts'
import { MaterialsPage } from '../pages/materials/materials-page.tsx'
import { writtenTitle } from './written.ts'
import { WrittenPage } from './written-page.tsx'

/** A page, shown for its address. */
export type PageView = ComponentType<{ readonly address: PageAddress }>

interface Page {
  readonly title: string
  /** Shown to people who are not signed in. */
  readonly isOpen?: boolean
  /** In the first file, or in a file of its own that comes when the page is shown. */
  readonly view: PageView | (() => Promise<PageView>)
  readonly isLate?: boolean
}

/** What is shown at each address. */
export const PAGES: Readonly<Record<PageName, Page>> = {
  home: { title: 'Materials', view: MaterialsPage },
  materials: { title: 'Materials', view: MaterialsPage },
  compare: late('Compare materials', async () => (await import('../pages/compare/compare-page.tsx')).ComparePage),
  material: late('Material', async () => (await import('../pages/material/material-page.tsx')).MaterialPage),
  phaseDiagram: late(
    'Phase diagrams',
    async () => (await import('../pages/phase-diagram/phase-diagram-page.tsx')).PhaseDiagramPage,
  ),
  sets: late('Sets', async () => (await import('../pages/sets/sets-page.tsx')).SetsPage),
  set: late('Set', async () => (await import('../pages/sets/set-page.tsx')).SetPage),
  import: late('Import', async () => (await import('../pages/import/import-page.tsx')).ImportPage),
  removed: late('Deleted and changed', async () => (await import('../pages/removed/removed-page.tsx')).RemovedPage),
  account: late('Account', async () => (await import('../pages/account/account-page.tsx')).AccountPage),
  organization: late(
    'Organization',
    async () => (await import('../pages/organization/organization-page.tsx')).OrganizationPage,
  ),
  docs: { title: 'API reference', view: WrittenPage, isOpen: true },
  guide: { title: writtenTitle, view: WrittenPage, isOpen: true },
  records: late('Records', async () => (await import('../pages/records/records-page.tsx')).RecordsPage),
  newRecord: late('New record', async () => (await import('../pages/edit/new-page.tsx')).NewPage),
  record: late('Record', async () => (await import('../pages/records/record-page.tsx')).RecordPage),
  editRecord: late('Edit', async () => (await import('../pages/edit/edit-page.tsx')).EditPage),
}

/** What stands in the bar at the top, by paths. Other kinds of records are in the menu beside it. */
export const NAVIGATION: readonly (readonly [path: string, title: string])[] = [
  ['/materials', 'Materials'],
  ['/methods', 'Methods'],
  ['/jobs', 'Jobs'],
  ['/properties', 'Properties'],
  ['/phase-diagram', 'Phase diagrams'],
  ['/sets', 'Sets'],
  ['/import', 'Import'],
]

function late(title: string, load: () => Promise<PageView>): Page {
  return { title, view: load, isLate: true }
}
