import type { Look } from '../../test/browser/support/chromium.ts'

/** A picture: what is shown, and how. */
export interface Shot {
  /** The file is called so, with the theme behind it. */
  readonly name: string
  /** An address; `ID` stands for the identifier of the material that is shown. */
  readonly path: string
  /** Some words that are there when all of it is. */
  readonly shows: string
  /** A heading that the window is moved to; without it the picture has the top of the page. */
  readonly from?: string
  /** A key that is pressed then. */
  readonly key?: string
  /** Whoever looks at it has not logged in. */
  readonly isGuest?: true
  readonly looks: readonly Look[]
}

const WIDE: readonly Look[] = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 1440 },
]
const PHONE: readonly Look[] = [
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
]

const FOUND = `query=${encodeURIComponent('{"elements":"O"}')}`

export const SHOTS: readonly Shot[] = [
  { name: 'materials', path: `/materials?${FOUND}`, shows: 'Corundum', key: 'j', looks: WIDE },
  { name: 'materials-phone', path: `/materials?${FOUND}`, shows: 'Corundum', looks: PHONE },
  {
    name: 'plot',
    path: '/materials?x=volume&y=density&color=spaceGroup.crystalSystem',
    shows: 'points of',
    looks: WIDE,
  },
  { name: 'material', path: '/materials/ID', shows: 'Space group', looks: WIDE },
  { name: 'material-phone', path: '/materials/ID', shows: 'Space group', looks: PHONE },
  {
    name: 'diffraction',
    path: '/materials/ID?section=diffraction',
    shows: 'Save peaks as CSV',
    from: 'Diffraction',
    looks: WIDE,
  },
  {
    name: 'phase-diagram',
    path: `/phase-diagram?elements=C,Si&group=${encodeURIComponent('espresso:dft:gga:pbe')}`,
    shows: '3 stable of 4 materials',
    looks: WIDE,
  },
  { name: 'login', path: '/', shows: 'Log in', isGuest: true, looks: WIDE },
  { name: 'edit', path: '/materials/ID/edit', shows: 'All other fields', looks: WIDE },
  { name: 'methods', path: '/methods', shows: 'Subtype', looks: WIDE },
  { name: 'sets', path: '/sets', shows: 'New set', looks: WIDE },
  { name: 'removed', path: '/removed', shows: 'Changes that can be undone', looks: WIDE },
  { name: 'account', path: '/account', shows: 'API tokens', looks: WIDE },
  { name: 'organization', path: '/accounts/ORGANIZATION', shows: 'Members', looks: WIDE },
  { name: 'guide', path: '/docs/query-language', shows: 'This page as text', looks: WIDE },
  { name: 'import', path: '/import', shows: 'Drop files or folders here', looks: WIDE },
  { name: 'docs', path: '/docs#listMaterials', shows: 'Send GET', looks: WIDE },
]
