import type { BuildStep } from '../../structure/building/build-step.ts'
import { growthOf } from '../../structure/building/step-growth.ts'
import type { BuildAnswer } from '../kinds/material/build-answer.ts'
import type { SentFile } from '../kinds/material/structure-files.ts'
import type { AnsweredRecord, Collection } from '../work/deps.ts'
import { createRecord } from './create-record.ts'

/** Builds a structure from another one, on a thread; what was built is JSON text of `material` and what stands beside it. */
export function buildMaterial(
  { deps, session }: Collection,
  file: SentFile,
  steps: readonly BuildStep[],
): Promise<BuildAnswer> {
  return deps.work.run('buildStructure', session.user.id, { file, steps, growth: growthOf(steps) })
}

/** Writes an answer as one JSON object; of a record that is stored, the record in the place of the material. */
export function builtText({ beside }: BuildAnswer, material: string): string {
  return `{"material":${material},${beside.slice(1)}`
}

/** Stores what was built as a new material; the answer to it has what stands beside the material, too. */
export async function storeBuilt(collection: Collection, built: BuildAnswer): Promise<AnsweredRecord> {
  const tell = collection.once
  const withBeside = (record: AnsweredRecord): AnsweredRecord => ({ ...record, text: builtText(built, record.text) })
  const once = tell === undefined ? undefined : (answered: AnsweredRecord) => tell(withBeside(answered))
  return withBeside(await createRecord({ ...collection, once }, Buffer.from(built.material)))
}
