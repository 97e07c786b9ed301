/** A step as it is being written: texts of its fields, by their names. */
export interface StepDraft {
  /** Tells steps apart while they are moved and taken away. */
  readonly key: number
  readonly kind: StepKind
  readonly fields: Readonly<Record<string, string>>
}

/** A field of a step. */
export interface StepField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly initial: string
  readonly control: 'whole' | 'number' | 'text' | 'choice' | 'check'
  readonly choices?: readonly (readonly [value: string, title: string])[]
  /** Of a text: what it has to be, as a regular expression. */
  readonly pattern?: string
  readonly least?: number
  readonly most?: number
  readonly isOptional?: true
  /** Where it counts for some choices only. */
  readonly isShown?: (fields: StepDraft['fields']) => boolean
}

interface StepForm {
  readonly title: string
  readonly fields: readonly StepField[]
  /** What the server is sent. */
  readonly step: (fields: StepDraft['fields']) => object
}

const NUMBER = '[+\\-]?(\\d+([.]\\d*)?|[.]\\d+)'
const SITES = '\\s*\\d+([\\s,]+\\d+)*\\s*'
const AXES = ['a', 'b', 'c'] as const

const isChosen = (name: string, value: string) => (fields: StepDraft['fields']) => fields[name] === value
const numbersIn = (text = ''): number[] => text.split(/[\s,;]+/).flatMap((part) => (part === '' ? [] : [Number(part)]))
const rowsIn = (text = ''): number[][] => {
  const numbers = numbersIn(text)
  return [numbers.slice(0, 3), numbers.slice(3, 6), numbers.slice(6)]
}
/** People count sites from 1, as the table of sites does. */
const sitesIn = (text = ''): number[] => numbersIn(text).map((site) => site - 1)
const several = (count: number, number: string): string => `\\s*(${number}[\\s,;]+){${count - 1}}${number}\\s*`

/** The steps that there are, in the order in which they are offered. */
export const STEP_FORMS = {
  supercell: {
    title: 'Supercell',
    fields: [
      {
        name: 'by',
        label: 'By',
        initial: 'size',
        control: 'choice',
        choices: [
          ['size', 'size'],
          ['matrix', 'matrix'],
        ],
      },
      ...AXES.map(
        (axis): StepField => ({
          name: axis,
          label: `Times ${axis}`,
          initial: '2',
          control: 'whole',
          least: 1,
          most: 100,
          isShown: isChosen('by', 'size'),
        }),
      ),
      {
        name: 'matrix',
        label: 'Rows of the matrix',
        hint: 'Nine whole numbers: new vectors as multiples of a, b, c',
        initial: '1 1 0, -1 1 0, 0 0 1',
        control: 'text',
        pattern: several(9, '-?\\d+'),
        isShown: isChosen('by', 'matrix'),
      },
    ],
    step: ({ by, a, b, c, matrix }) => ({
      supercell: by === 'matrix' ? { matrix: rowsIn(matrix) } : { size: [Number(a), Number(b), Number(c)] },
    }),
  },
  standardCell: {
    title: 'Standard cell',
    fields: [
      {
        name: 'cell',
        label: 'Cell',
        initial: 'primitive',
        control: 'choice',
        choices: [
          ['primitive', 'primitive'],
          ['conventional', 'conventional'],
          ['niggli', 'reduced (Niggli)'],
        ],
      },
    ],
    step: ({ cell }) => ({ standardCell: { cell } }),
  },
  slab: {
    title: 'Slab',
    fields: [
      {
        name: 'miller',
        label: 'Miller indices',
        hint: 'Of the cell that this step is given',
        initial: '1 0 0',
        control: 'text',
        pattern: several(3, '-?\\d+'),
      },
      {
        name: 'by',
        label: 'Thickness in',
        initial: 'layers',
        control: 'choice',
        choices: [
          ['layers', 'repeats'],
          ['thickness', 'Å at least'],
        ],
      },
      {
        name: 'layers',
        label: 'Repeats',
        initial: '4',
        control: 'whole',
        least: 1,
        most: 200,
        isShown: isChosen('by', 'layers'),
      },
      {
        name: 'thickness',
        label: 'Thickness / Å',
        initial: '10',
        control: 'number',
        least: 0.1,
        most: 500,
        isShown: isChosen('by', 'thickness'),
      },
      { name: 'vacuum', label: 'Vacuum / Å', initial: '15', control: 'number', least: 1, most: 200 },
      { name: 'centred', label: 'In the middle of the cell', initial: 'yes', control: 'check' },
    ],
    step: ({ miller, by, layers, thickness, vacuum, centred, termination = '0' }) => ({
      slab: {
        miller: numbersIn(miller),
        ...(by === 'layers' ? { layers: Number(layers) } : { thickness: Number(thickness) }),
        vacuum: Number(vacuum),
        termination: Number(termination),
        centred: centred === 'yes',
      },
    }),
  },
  substitution: {
    title: 'Substitution',
    fields: [
      {
        name: 'by',
        label: 'In the place of',
        initial: 'element',
        control: 'choice',
        choices: [
          ['element', 'an element'],
          ['sites', 'what is on some sites'],
        ],
      },
      {
        name: 'from',
        label: 'Element',
        initial: '',
        control: 'text',
        pattern: '[A-Z][a-z]?',
        isShown: isChosen('by', 'element'),
      },
      { name: 'to', label: 'Becomes', initial: '', control: 'text', pattern: '[A-Z][a-z]?' },
      {
        name: 'some',
        label: 'Only at sites',
        hint: 'Counted from 1; empty for all',
        initial: '',
        control: 'text',
        pattern: SITES,
        isOptional: true,
        isShown: isChosen('by', 'element'),
      },
      {
        name: 'sites',
        label: 'Sites',
        hint: 'Counted from 1: 1, 4',
        initial: '',
        control: 'text',
        pattern: SITES,
        isShown: isChosen('by', 'sites'),
      },
    ],
    step: ({ by, from = '', to = '', some = '', sites }) => {
      if (by === 'sites') return { substitution: { sites: sitesIn(sites), with: to } }
      return { substitution: { elements: { [from]: to }, ...(some.trim() === '' ? {} : { sites: sitesIn(some) }) } }
    },
  },
  vacancy: {
    title: 'Vacancies',
    fields: [
      { name: 'sites', label: 'Sites', hint: 'Counted from 1: 1, 4', initial: '', control: 'text', pattern: SITES },
    ],
    step: ({ sites }) => ({ vacancy: { sites: sitesIn(sites) } }),
  },
  ordered: {
    title: 'Ordered approximant',
    fields: [
      {
        name: 'how',
        label: 'Of shared sites',
        initial: 'supercell',
        control: 'choice',
        choices: [
          ['supercell', 'shares as counts in a larger cell'],
          ['majority', 'the most frequent species'],
        ],
      },
      {
        name: 'maxAtoms',
        label: 'Most atoms',
        initial: '100',
        control: 'whole',
        least: 1,
        most: 10_000,
        isShown: isChosen('how', 'supercell'),
      },
      {
        name: 'seed',
        label: 'Seed',
        initial: '0',
        control: 'whole',
        least: 0,
        most: 2 ** 32 - 1,
        isShown: isChosen('how', 'supercell'),
      },
    ],
    step: ({ how, maxAtoms, seed }) => ({
      ordered: how === 'majority' ? { how } : { how, maxAtoms: Number(maxAtoms), seed: Number(seed) },
    }),
  },
  strain: {
    title: 'Strain',
    fields: [
      {
        name: 'by',
        label: 'By',
        initial: 'percent',
        control: 'choice',
        choices: [
          ['percent', 'percent of all lengths'],
          ['voigt', 'Voigt components'],
          ['deformation', 'deformation matrix'],
        ],
      },
      {
        name: 'percent',
        label: 'Percent',
        initial: '1',
        control: 'number',
        least: -50,
        most: 50,
        isShown: isChosen('by', 'percent'),
      },
      {
        name: 'voigt',
        label: 'xx, yy, zz, yz, xz, xy',
        hint: 'In parts of 1: 0.01 is 1 %',
        initial: '0.01 0 0 0 0 0',
        control: 'text',
        pattern: several(6, NUMBER),
        isShown: isChosen('by', 'voigt'),
      },
      {
        name: 'deformation',
        label: 'Rows of the matrix',
        initial: '1.01 0 0, 0 1 0, 0 0 1',
        control: 'text',
        pattern: several(9, NUMBER),
        isShown: isChosen('by', 'deformation'),
      },
    ],
    step: ({ by = '', percent, voigt, deformation }) => {
      if (by === 'voigt') return { strain: { voigt: numbersIn(voigt) } }
      if (by === 'deformation') return { strain: { deformation: rowsIn(deformation) } }
      return { strain: { percent: Number(percent) } }
    },
  },
} as const satisfies Readonly<Record<string, StepForm>>

export type StepKind = keyof typeof STEP_FORMS

/** The fields of a step that count with what is chosen. */
export function fieldsShown({ kind, fields }: StepDraft): readonly StepField[] {
  const all: readonly StepField[] = STEP_FORMS[kind].fields
  return all.filter(({ isShown }) => isShown === undefined || isShown(fields))
}

/** A new step with what is usual. */
export function newDraft(kind: StepKind, key: number): StepDraft {
  const all: readonly StepField[] = STEP_FORMS[kind].fields
  return { key, kind, fields: Object.fromEntries(all.map(({ name, initial }) => [name, initial])) }
}

/** The steps with one more at their end. Planes are named by the conventional cell: a slab that is cut first is cut of that, in a step that can be seen and taken away. */
export function withStep(drafts: readonly StepDraft[], kind: StepKind): readonly StepDraft[] {
  const key = 1 + Math.max(-1, ...drafts.map((draft) => draft.key))
  if (kind !== 'slab' || drafts.length > 0) return [...drafts, newDraft(kind, key)]
  const { fields, ...cell } = newDraft('standardCell', key)
  return [{ ...cell, fields: { ...fields, cell: 'conventional' } }, newDraft(kind, key + 1)]
}

/** A step as the server is sent it. */
export function stepOf({ kind, fields }: StepDraft): object {
  const { step }: StepForm = STEP_FORMS[kind]
  return step(fields)
}
