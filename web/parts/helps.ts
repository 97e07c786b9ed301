/** What a part of the page is for, and where the guides tell more of it. */
interface Help {
  readonly words: string
  /** Name of a guide, as addresses have it, and one of its headings. */
  readonly guide: string
  readonly heading: string
}

const PAGE = 'use-the-page'
const look = (words: string): Help => ({ words, guide: PAGE, heading: 'look-at-a-material' })

/** A paragraph for each page, and for each section of a material. */
export const HELPS = {
  materials: {
    words:
      'All crystals and molecules that you can see: your own, those of your organizations, and what is public. Type a formula, elements, words or a comparison into the line, or choose filters; the picture and the facts of a row are beside the list.',
    guide: PAGE,
    heading: 'find-records',
  },
  compare: {
    words:
      'Two to six materials side by side: cells, symmetry, properties by method, crystals that turn together or lie on each other, and powder patterns over the same angles.',
    guide: PAGE,
    heading: 'compare-materials',
  },
  methods: {
    words:
      'How something was computed: program, model, functional, potentials and settings. Calculations of the same settings share a method.',
    guide: PAGE,
    heading: 'find-records',
  },
  records: {
    words:
      'Records of one kind: its fields, filters and forms are made from its schema. Type words or a comparison into the line, or choose filters.',
    guide: PAGE,
    heading: 'find-records',
  },
  jobs: {
    words:
      'Calculations that were imported, each with its inputs, its files, the materials that it is about and the properties that it gave.',
    guide: 'store-calculations',
    heading: 'store-runs',
  },
  properties: {
    words:
      'What was computed or measured of materials, value by value: each says of which material, by which method and in which job.',
    guide: 'store-calculations',
    heading: 'ask-by-what-was-computed',
  },
  phaseDiagram: {
    words:
      'Which materials of some elements are stable against falling apart into others, by the total energies that you see.',
    guide: PAGE,
    heading: 'phase-diagrams',
  },
  sets: {
    words:
      'A set holds materials as a folder does; a material can be in several. Materials come into one from a list, with the boxes before them, or when they are imported.',
    guide: PAGE,
    heading: 'change-records',
  },
  import: {
    words:
      'Structures and calculations from files: drop them, look at what is in them, choose, and store. Nothing is stored before you say so, and nothing is stored twice.',
    guide: PAGE,
    heading: 'import-structures',
  },
  removed: {
    words: 'What you deleted in the last time, and changes of many records: here they are put back.',
    guide: PAGE,
    heading: 'change-records',
  },
  account: {
    words: 'Your password, tokens for scripts, where you are logged in, and the organizations that you belong to.',
    guide: PAGE,
    heading: 'get-a-token-for-a-script',
  },
  organization: {
    words:
      'An account that several people share: its members see, change and delete its records. Owner and administrators take people in.',
    guide: PAGE,
    heading: 'work-with-others',
  },
  edit: {
    words:
      'Name, tags, description and all other fields of a record. What the server finds wrong stands where it is; earlier versions are kept.',
    guide: PAGE,
    heading: 'change-records',
  },
  newRecord: {
    words: 'A form for a new record, made from the schema of its kind. It is stored in the account that you act in.',
    guide: PAGE,
    heading: 'change-records',
  },
  'section.properties': look(
    'What was computed or measured of the material, a card for each property; where several methods gave it, they are compared.',
  ),
  'section.structure': look('The cell and the atoms, with their places in fractions of the cell or in Å.'),
  'section.symmetry': look(
    'The space group, which atoms are alike by it, and which group is found within other tolerances.',
  ),
  'section.bonds': look('How many neighbours each atom has, which and how far, by the solid angles of Voronoi cells.'),
  'section.diffraction': look(
    'The powder pattern for X-rays or neutrons, with the planes of each peak. Drop a measured curve over it to compare.',
  ),
  'section.zone': look(
    'The Brillouin zone of the primitive cell, with the usual path for bands, which is saved as a KPOINTS file.',
  ),
  'section.build': {
    words:
      'Supercells, slabs, vacancies and more, made of this material step by step; what was built is stored as a material of yours.',
    guide: 'build-structures',
    heading: 'on-the-page',
  },
  'section.similar': look('Materials that are the same crystal, whatever their cell, and those that are built alike.'),
  'section.files': look('What is kept beside the record: outputs, pictures, notes. Earlier versions keep their files.'),
  'section.provenance': look('What the record was made from, at the left, and what was made of it, at the right.'),
  'section.history': look('Every version of the record, who made it, and what changed.'),
  'section.json': look('The record as the API answers it, with every field that it has.'),
} as const satisfies Readonly<Record<string, Help>>

export type HelpName = keyof typeof HELPS
