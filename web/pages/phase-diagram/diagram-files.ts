import { csvText } from '../../plots/csv-text.ts'
import { type PhaseDiagram, sharesOf } from './phase-diagram.ts'
import { percentText, productsOf } from './phase-words.ts'

/** Name of a file of a diagram. */
export function fileName({ elements }: PhaseDiagram, ending: string): string {
  return `phase-diagram-${elements.join('-')}.${ending}`
}

/** All entries of a diagram as CSV, also those that are not drawn. */
export function diagramCsv({ elements, entries, group }: PhaseDiagram): string {
  const head = [
    'formula',
    'name',
    '_id',
    ...elements.map((element) => `x(${element})`),
    'energy / eV',
    'formation energy / (eV/atom)',
    'energy above hull / (eV/atom)',
    'stable',
    'decomposition',
    'group',
  ]
  const rows = entries.map((entry) => [
    entry.formula,
    entry.name,
    entry._id,
    ...sharesOf(entry, elements),
    entry.energy,
    entry.formationEnergy,
    entry.energyAboveHull,
    String(entry.isStable),
    (productsOf(entry) ?? []).map(({ fraction, formula }) => `${percentText(fraction)} ${formula}`).join(' + '),
    entry.group ?? [group].flat().join(', '),
  ])
  return csvText([head, ...rows])
}
