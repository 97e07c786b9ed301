import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { BuildStep } from '../../../structure/building/build-step.ts'
import { type BuildTools, buildStructure, type StepReport } from '../../../structure/building/build-structure.ts'
import { describeStep, operationOf } from '../../../structure/building/step-names.ts'
import { checkConsistency } from '../../../structure/chemistry/consistency-checks.ts'
import type { Crystal, StructureWarning } from '../../../structure/crystal.ts'
import { leftOutWarning, namesIn } from '../../../structure/formats/common/rest.ts'
import { crystalToMaterial } from '../../../structure/formats/json/material.ts'
import { countAtoms, reducedFormula, unitCellFormula } from '../../../structure/formula.ts'
import { ORIGINS_FIELD } from '../../origins.ts'
import { LONGEST_NAME } from '../../validate-record.ts'
import { readCrystal, type StructureFile } from './structure-files.ts'

/** Structure that was built of another one. */
export interface BuildAnswer {
  /** The structure as a material that can be stored, as JSON text. */
  readonly material: string
  /** Findings that are told beside it, as the text of a JSON object. */
  readonly beside: string
}

/** Builds a structure from that of a file; of a stored material, the new one says what it was made from. */
export function buildAnswer(file: StructureFile, steps: readonly BuildStep[], tools: BuildTools): BuildAnswer {
  const { crystal: given } = readCrystal(file)
  // The rest of the file, and the entry of a database or the group that it names, are not those of what is built.
  const { icsdId: _entry, declaredGroup: _group, rest, ...start } = given
  const { crystal, steps: reports } = buildStructure(start, steps, tools)
  const title = builtTitle(given, steps)
  const origin = file.of === undefined ? {} : { [ORIGINS_FIELD]: [originOf(file.of, steps)] }
  const material = { ...crystalToMaterial({ ...crystal, title }), ...origin }
  const leftOut = rest === undefined ? [] : [...namesIn(rest.values), ...rest.leftOut]
  const beside = {
    nSites: crystal.sites.length,
    formula: unitCellFormula(countAtoms(crystal.sites)),
    steps: reports.map(presentReport),
    consistencyChecks: checkConsistency(crystal),
    warnings: [...crystal.warnings, ...leftOutWarning(leftOut)] satisfies readonly StructureWarning[],
  }
  return { material: JSON.stringify(material), beside: JSON.stringify(beside) }
}

/** Origin as a record tells it: the steps can be sent again as they are. */
function originOf(id: string, steps: readonly BuildStep[]): JsonObject {
  const how = [...new Set(steps.map(operationOf))].join(', ')
  return { _id: id, collection: 'materials', how, parameters: { steps: steps as unknown as Json } }
}

function builtTitle({ title: given, sites }: Crystal, steps: readonly BuildStep[]): string {
  const title = given === '' ? reducedFormula(countAtoms(sites)) : given
  const told = ` (${steps.map(describeStep).join(', ')})`
  const room = LONGEST_NAME - told.length
  return room < 1 ? told.trim().slice(0, LONGEST_NAME) : `${title.slice(0, room)}${told}`
}

/** Lengths in Å and areas in Å², without the noise of arithmetic. */
function presentReport(report: StepReport): JsonObject {
  const tidied = Object.entries(report).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value * 1e8) / 1e8 : value,
  ])
  return Object.fromEntries(tidied) as JsonObject
}
