import { statSync } from 'node:fs'
import type { LocalFile } from '../../calculations/runs/output-file.ts'
import {
  type FoundFiles,
  findOutputs,
  type LocalOutput,
  type RunReading,
  readRun,
} from '../../calculations/runs/read-run.ts'
import { type ClientBytes, wholeBytes } from '../../kernel/bytes.ts'
import { Budget } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { beginPart, serveTasks, threadData } from '../../kernel/worker-channel.ts'
import type { BuildStep } from '../../structure/building/build-step.ts'
import type { StructureLimits } from '../../structure/crystal.ts'
import { decodeText } from '../../structure/formats/common/text-pieces.ts'
import { Isotypes } from '../../structure/matching/isotypes.ts'
import { FinderBroken, findSymmetry, groupsByTolerance } from '../../structure/symmetry/find-symmetry.ts'
import { type GroupFinder, notComputed, type SymmetryFinder } from '../../structure/symmetry/symmetry-report.ts'
import { type DiagramQuestion, diagramAnswer } from '../diagrams/diagram-answer.ts'
import { type RunNames, runNames } from '../diagrams/energy-corrections.ts'
import { type HullChanges, type HullQuestion, hullChanges } from '../diagrams/hull-properties.ts'
import { type BuildAnswer, buildAnswer } from '../kinds/material/build-answer.ts'
import {
  type AnalysisTerms,
  analyzeStructure,
  coordinationAnswer,
  type DiffractionTerms,
  diffractionAnswer,
  reciprocalAnswer,
} from '../kinds/material/crystal-answers.ts'
import { MOST_SITES } from '../kinds/material/material-kind.ts'
import { type PictureTerms, pictureOf } from '../kinds/material/picture.ts'
import type { PrintTerms } from '../kinds/material/print-material.ts'
import { type MatchFound, type MatchQuestion, matcherFor } from '../kinds/material/read-structure.ts'
import { findSamePlaces, type PlacesQuestion } from '../kinds/material/same-places.ts'
import { convertStructure, type SentFile, type StructureFile } from '../kinds/material/structure-files.ts'
import { RECORD_KINDS } from '../kinds/record-kinds.ts'
import { plainKind } from '../plain-kind.ts'
import type { RecordKind, RecordLimits } from '../record-kind.ts'
import { buildRecord, kindIn, type RecordRules } from './build-record.ts'
import {
  type BodyFields,
  type Form,
  type FramesOfFile,
  type LongFields,
  pickFields,
  projectText,
  putFields,
  readForm,
  readLongBody,
  takeFileApart,
  type WholeFile,
} from './client-body.ts'
import { type Contribution, contributionOf } from './contribution.ts'
import { type PrintOutcome, printOutcome, type StoredMaterial } from './printed-material.ts'
import type { BuildOutcome, BuildTerms, RecordInput } from './record-input.ts'
import { recomputeOutcome, reviseRecord } from './revise-record.ts'
import type { Recomputation, RecomputeOutcome, RevisedRecord, RevisionInput, StoredState } from './revision.ts'
import { partOf } from './run-batch.ts'

/** Options of the symmetry search. */
export interface SymmetryTerms {
  /** In ångström. */
  readonly tolerance: number
  /** Milliseconds of processor time for one crystal. */
  readonly timeLimitMs: number
}

/** Start data of the threads. */
export interface ThreadRules {
  readonly operatorKinds: readonly Pick<RecordKind, 'name' | 'collection' | 'schema'>[]
  readonly limits: RecordLimits
  readonly structureLimits: StructureLimits
  readonly symmetry: SymmetryTerms | null
  /** Milliseconds of processor time for one record, its symmetry aside. */
  readonly timeLimitMs: number
}

/** Options of the symmetry search for one structure. */
interface SymmetryQuestion {
  readonly noSymmetry?: string | undefined
  /** In ångström; that of the setting where nothing is said. */
  readonly tolerance?: number | undefined
}

/** Task on one structure; with `noSymmetry` its symmetry is not sought, for that reason. */
interface StructureTask extends SymmetryQuestion {
  readonly file: SentFile
}

/** Steps to build from a structure. */
interface BuildTask extends StructureTask {
  readonly steps: readonly BuildStep[]
  /** About how many times as large as the structure the build is. */
  readonly growth: number
}

/** Bytes of a file that are read in the time of a record. */
const BYTES_OF_A_RECORD = 32 * 1024 * 1024

/** Files may take longer, the longer they are. */
function beginReading(files: readonly LocalFile[]): void {
  const bytes = files.reduce((sum, { path }) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
  beginPart(partOf(0, 'record'), timeLimitMs * (1 + bytes / BYTES_OF_A_RECORD))
}

interface ContributingText {
  readonly collection: string
  readonly isPublic: boolean
  readonly text: string
}

/** Time of a batch on a thread; what is left of it then takes its turn again. */
const TURN_MS = 200

const { operatorKinds, limits, structureLimits, symmetry, timeLimitMs } = threadData() as ThreadRules
const kinds = [...RECORD_KINDS, ...operatorKinds.map(plainKind)]

/** Tasks on one input, by their names. */
const TASKS = {
  /** Makes the next version of a record; null when nothing changes. */
  revise: (input: RevisionInput): RevisedRecord | null =>
    reviseRecord(rulesFor(0, { noSymmetry: input.noSymmetry }), input),
  /** Says of a file's structure what a material made from it would say, as JSON text. */
  analyze: ({ file, cell, basis, ...asked }: StructureTask & AnalysisTerms): string =>
    JSON.stringify(analyzeStructure(received(file), rulesFor(0, asked).finder, { cell, basis })),
  /** The powder pattern of a file's structure, as JSON text. */
  diffraction: ({ file, terms, noSymmetry }: StructureTask & { readonly terms: DiffractionTerms }): string =>
    JSON.stringify(diffractionAnswer(received(file), terms, rulesFor(0, { noSymmetry, ...terms }).finder)),
  /** The Brillouin zone and k-path of a file's structure, as JSON text. */
  reciprocal: ({ file, ...asked }: StructureTask): string =>
    JSON.stringify(reciprocalAnswer(received(file), rulesFor(0, asked).finder)),
  /** Coordination numbers and bonds of a file's structure, as JSON text. */
  coordination: ({ file, ...asked }: StructureTask): string =>
    JSON.stringify(coordinationAnswer(received(file), rulesFor(0, asked).finder)),
  /** Builds a structure of that of a file in some steps. */
  buildStructure({ file, steps, noSymmetry }: BuildTask): BuildAnswer {
    const begin = () => beginPart(partOf(0, 'record'), timeLimitMs)
    begin()
    return buildAnswer(received(file), steps, {
      mostSites: MOST_SITES,
      symmetryOf: (crystal, tolerance) => finderFor(0, begin, { noSymmetry, tolerance })?.(crystal),
    })
  },
  /** The crystal of a file as an SVG picture. */
  picture({ file, terms }: { readonly file: SentFile; readonly terms: PictureTerms }): string {
    rulesFor(0)
    return pictureOf(received(file), terms)
  },
  /** Lays stored materials upon one, as many as fit into the turn or the budget, one at least; null for another crystal, and for one that is gone. */
  match({ text, candidates, within, budgetMs }: MatchQuestion): MatchFound {
    rulesFor(0)
    const budget = new Budget(budgetMs)
    const match = matcherFor(text, within)
    const compare = (candidate: string | null, index: number) => {
      rulesFor(index)
      return candidate === null ? null : match(candidate)
    }
    const isometries = inTurn(candidates, compare, () => budget.end !== null)
    return { isometries, spentMs: budget.spentMs }
  },
  /** Which of some materials has the same sites at the same places as one. */
  samePlaces(question: PlacesQuestion): number {
    rulesFor(0)
    return findSamePlaces(question)
  },
  /** Writes the structure of a file in another format; gives a `Conversion` as JSON text. */
  convert: ({ file, terms, noSymmetry }: StructureTask & { readonly terms: PrintTerms }): string =>
    JSON.stringify(convertStructure(received(file), terms, rulesFor(0, { noSymmetry, ...terms }).finder)),
  /** The structures of a file, each with a text of its own; null where there is one. */
  takeApart(file: WholeFile): FramesOfFile | null {
    rulesFor(0)
    return takeFileApart(file, structureLimits)
  },
  /** Reads fields of a JSON object that a client sent; of others, the first comes as null. */
  body({ bytes, fields }: { readonly bytes: ClientBytes; readonly fields: BodyFields }): LongFields {
    rulesFor(0)
    return readLongBody(bytes, fields)
  },
  /** Reads a form; of more files than `MOST_PARTS`, one more comes. */
  form({ bytes, type }: { readonly bytes: ClientBytes; readonly type: string }): Promise<Form> {
    rulesFor(0)
    return readForm(bytes, type)
  },
  /** Reads some fields of a stored record; those that it does not have are left out. */
  pick({ text, names }: { readonly text: string; readonly names: readonly string[] }): JsonObject {
    rulesFor(0)
    return pickFields(text, names)
  },
  /** The text of a stored record with the fields that are asked for. */
  project({ text, asked }: { readonly text: string; readonly asked: string }): string {
    rulesFor(0)
    return projectText(text, JSON.parse(asked) as JsonObject)
  },
  /** The text of a stored record with other values in some of its fields. */
  put({ text, fields }: { readonly text: string; readonly fields: JsonObject }): string {
    rulesFor(0)
    return putFields(text, fields)
  },
  /** Outputs of simulation codes among files, and structures. */
  outputs({ files }: { readonly files: readonly LocalFile[] }): Promise<FoundFiles> {
    beginReading(files)
    return findOutputs(files)
  },
  /** What the outputs of a run tell. */
  readRun({ outputs }: { readonly outputs: readonly LocalOutput[] }): Promise<RunReading> {
    beginReading(outputs)
    return readRun(outputs)
  },
  /** The phase diagram of what was found, as JSON text. */
  diagram(question: DiagramQuestion): string {
    rulesFor(0)
    return diagramAnswer(question)
  },
  /** Records that corrections of energies follow from. */
  runNames(asked: RunNames): readonly string[] {
    rulesFor(0)
    return runNames(asked)
  },
  /** Where the properties of an account differ from what follows from its energies; each hull has the time of a record. */
  hulls: (question: HullQuestion): HullChanges => hullChanges(question, () => rulesFor(0)),
  /** What other records have of one. */
  contribution: ({ collection, isPublic, text }: ContributingText): Contribution | null =>
    contributionOf(kindIn(rulesFor(0), collection), isPublic, JSON.parse(text) as JsonObject),
}

/** Tasks on each of many inputs, on the same terms, by name. */
const EACH = {
  /** Makes records. */
  build: (input: RecordInput, terms: BuildTerms, rules: RecordRules): BuildOutcome => buildRecord(rules, input, terms),
  /** Computes anew what follows from stored records. */
  recompute: (state: StoredState, what: Recomputation, rules: RecordRules): RecomputeOutcome =>
    recomputeOutcome(rules, what, state),
  /** Writes stored materials as structure files. */
  print: ({ text }: StoredMaterial, terms: PrintTerms, { finder }: ThreadedRules): PrintOutcome =>
    printOutcome(text, terms, finder),
}

export type RecordTasks = typeof TASKS
export type TasksOfMany = typeof EACH

/** Many of one task, on the same terms. */
interface Many {
  readonly items: readonly Pick<SymmetryQuestion, 'noSymmetry'>[]
  readonly terms: Pick<SymmetryQuestion, 'tolerance'>
}

/** Gives fewer than were asked for when the turn is over, but one at least. */
function ofMany(work: (item: never, terms: never, rules: ThreadedRules) => unknown): (many: Many) => unknown[] {
  return ({ items, terms }) =>
    inTurn(items, (item, index) => {
      const rules = rulesFor(index, { noSymmetry: item.noSymmetry, tolerance: terms.tolerance })
      return work(item as never, terms as never, rules)
    })
}

/** Does one thing after the other until the turn is over, or it is enough; one at least. */
function inTurn<Input, Output>(
  inputs: readonly Input[],
  work: (input: Input, index: number) => Output,
  isEnough = () => false,
): Output[] {
  const turnEnds = performance.now() + TURN_MS
  const outputs: Output[] = []
  for (const [index, input] of inputs.entries()) {
    outputs.push(work(input, index))
    if (performance.now() >= turnEnds || isEnough()) break
  }
  return outputs
}

/** Rules of records, and what finds the whole symmetry of a crystal, with its cells. */
interface ThreadedRules extends RecordRules {
  readonly finder: SymmetryFinder | undefined
}

/** Begins with a record of a task. */
function rulesFor(index: number, asked: SymmetryQuestion = {}): ThreadedRules {
  const beginRecord = () => beginPart(partOf(index, 'record'), timeLimitMs)
  beginRecord()
  const finder = finderFor(index, beginRecord, asked)
  const rules = { kinds, limits, structureLimits, symmetryTimeMs: symmetry?.timeLimitMs ?? 0 }
  return { ...rules, symmetry: asked.noSymmetry === undefined ? finder && groupFinder(finder) : finder, finder }
}

const isotypes = new Isotypes()

/** Records tell no more of a crystal than its isotypes have in common. */
function groupFinder(finder: SymmetryFinder): GroupFinder {
  return (crystal, wants) => isotypes.groupOf(crystal, symmetry?.tolerance ?? 0, () => finder(crystal, wants))
}

/** Atoms of a crystal of which other tolerances are tried: all have the one limit of time, and what was found is not risked for more. */
const MOST_ON_LADDER = 500

function finderFor(
  index: number,
  goOn: () => void,
  { noSymmetry, tolerance }: SymmetryQuestion,
): SymmetryFinder | undefined {
  if (symmetry === null) return undefined
  if (noSymmetry !== undefined) return () => notComputed(noSymmetry)
  return (crystal, wants) => {
    beginPart(partOf(index, 'symmetry'), symmetry.timeLimitMs)
    try {
      const report = findSymmetry(crystal, tolerance ?? symmetry.tolerance)
      if (wants?.ladder !== true || report.status !== 'computed' || crystal.sites.length > MOST_ON_LADDER) return report
      return { ...report, byTolerance: groupsByTolerance(crystal, report) }
    } catch (error) {
      // The next question needs another thread.
      if (error instanceof FinderBroken) process.exit()
      throw error
    } finally {
      goOn()
    }
  }
}

function received({ text, ...file }: SentFile): StructureFile {
  return { ...file, text: typeof text === 'string' ? text : decodeText(wholeBytes(text)), limits: structureLimits }
}

const OF_MANY = Object.fromEntries(Object.entries(EACH).map(([name, work]) => [name, ofMany(work)]))

serveTasks({ ...TASKS, ...OF_MANY })
