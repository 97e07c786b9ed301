import { unpackError } from '../../kernel/errors.ts'
import type { RecordWork } from './deps.ts'
import type { BuildOutcome, BuildTerms, NewRecord, RecordInput } from './record-input.ts'
import { tasksOf } from './thread-input.ts'

/** Makes records; what comes of each is in their order. */
export async function buildRecords(
  work: RecordWork,
  user: string,
  inputs: readonly RecordInput[],
  terms: BuildTerms,
): Promise<readonly BuildOutcome[]> {
  const tasks = tasksOf(inputs).map((some) => work.runEach('build', user, some, terms))
  return (await Promise.all(tasks)).flat()
}

/** Makes one record; throws the refusal when it cannot be made. */
export async function buildOne(
  work: RecordWork,
  user: string,
  input: RecordInput,
  terms: BuildTerms,
): Promise<{ readonly built: NewRecord } | { readonly otherAccount: string }> {
  const [outcome] = await work.runEach('build', user, [input], terms)
  if (outcome === undefined) throw new Error('nothing came of a record')
  if ('refusal' in outcome) throw unpackError(outcome.refusal)
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome
}
