import type { JsonObject } from '../../kernel/json.ts'
import type { StoredRecord } from '../../store/port/record-store.ts'
import { type PropertyState, propertyState } from '../kinds/property/best-property.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import type { RecordKind } from '../record-kind.ts'
import { type BankContribution, bankContributionOf } from './bank.ts'
import { SHORT_TEXT } from './client-body.ts'
import type { RecordWork } from './deps.ts'

/** What other records have of a record: the bank its content, materials a property. Plain data, so that it can come from another thread. */
export interface Contribution {
  readonly bank: BankContribution | null
  readonly property: PropertyState | null
}

/** Contributions of a record before and after a change; null for none. */
export interface Transition {
  readonly before: Contribution | null
  readonly after: Contribution | null
}

/** Tells what a record contributes to others. */
export function contributionOf(kind: RecordKind, isPublic: boolean, document: JsonObject): Contribution | null {
  const bank = bankContributionOf(kind, isPublic, document)
  const property = kind.collection === propertyKind.collection ? propertyState({ ...document, isPublic }) : null
  return bank === null && property === null ? null : { bank, property }
}

/** Tells what a stored record contributes to others. */
export async function broughtBy(
  work: RecordWork,
  user: string,
  kind: RecordKind,
  { isPublic, text }: Pick<StoredRecord, 'isPublic' | 'text'>,
): Promise<Contribution | null> {
  const contributes = (kind.bank !== undefined && isPublic) || kind.collection === propertyKind.collection
  if (!contributes) return null
  if (text.length <= SHORT_TEXT) return contributionOf(kind, isPublic, JSON.parse(text) as JsonObject)
  return work.run('contribution', user, { collection: kind.collection, isPublic, text })
}

/** Name of what a contribution changes: writes to one are done one after the other. */
export function subjectOf(contribution: Contribution | null): string | null {
  return contribution?.bank?.id ?? contribution?.property?.materials[0] ?? null
}
