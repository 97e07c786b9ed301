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
  methods: { title: 'Methods', view: MaterialsPage },
  newMethod: late('New method', async () => (await import('../pages/edit/new-method-page.tsx')).NewMethodPage),
  method: late('Method', async () => (await import('../pages/method/method-page.tsx')).MethodPage),
  editMaterial: late('Edit material', async () => (await import('../pages/edit/edit-page.tsx')).EditPage),
  editMethod: late('Edit method', async () => (await import('../pages/edit/edit-page.tsx')).EditPage),
  jobs: late('Jobs', async () => (await import('../pages/jobs/jobs-page.tsx')).JobsPage),
  properties: late('Properties', async () => (await import('../pages/properties/properties-page.tsx')).PropertiesPage),
  property: late('Property', async () => (await import('../pages/property/property-page.tsx')).PropertyPage),
  job: late('Job', async () => (await import('../pages/job/job-page.tsx')).JobPage),
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
}

/** What stands in the bar at the top. */
export const NAVIGATION: readonly PageName[] = [
  'materials',
  'methods',
  'jobs',
  'properties',
  'phaseDiagram',
  'sets',
  'import',
]

function late(title: string, load: () => Promise<PageView>): Page {
  return { title, view: load, isLate: true }
}
