import type { ComponentType } from 'preact'
import type { SectionProps } from './section.ts'

export type SectionView = ComponentType<SectionProps>

interface SectionEntry {
  readonly title: string
  readonly load: () => Promise<SectionView>
}

/** The sections below the facts, in their order; each is a file of its own. */
export const SECTIONS = {
  properties: { title: 'Properties', load: async () => (await import('./properties-section.tsx')).PropertiesSection },
  structure: { title: 'Structure', load: async () => (await import('./structure-section.tsx')).StructureSection },
  symmetry: { title: 'Symmetry', load: async () => (await import('./symmetry-section.tsx')).SymmetrySection },
  bonds: { title: 'Bonds', load: async () => (await import('./bonds-section.tsx')).BondsSection },
  diffraction: {
    title: 'Diffraction',
    load: async () => (await import('./diffraction-section.tsx')).DiffractionSection,
  },
  zone: { title: 'Brillouin zone', load: async () => (await import('./zone-section.tsx')).ZoneSection },
  build: { title: 'Build', load: async () => (await import('./build-section.tsx')).BuildSection },
  similar: { title: 'Similar', load: async () => (await import('./similar-section.tsx')).SimilarSection },
  files: { title: 'Files', load: async () => (await import('./files-section.tsx')).FilesSection },
  provenance: { title: 'Provenance', load: async () => (await import('./provenance-section.tsx')).ProvenanceSection },
  history: { title: 'History', load: async () => (await import('./history-section.tsx')).HistorySection },
  json: { title: 'JSON', load: async () => (await import('./json-section.tsx')).JsonSection },
} as const satisfies Readonly<Record<string, SectionEntry>>

export type SectionName = keyof typeof SECTIONS

/** Which section an address names; null where it names none. */
export function readSection(search: URLSearchParams): SectionName | null {
  const name = search.get('section') ?? ''
  return Object.hasOwn(SECTIONS, name) ? (name as SectionName) : null
}
