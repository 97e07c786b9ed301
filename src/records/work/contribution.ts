import type { JsonObject } from '../../kernel/json.ts'
import { type PropertyState, propertyState } from '../kinds/property/best-property.ts'
import { propertyKind } from '../kinds/property/property-kind.ts'
import type { RecordKind } from '../record-kind.ts'
import { type BankContribution, bankContributionOf } from './bank.ts'

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

/** Name of what a contribution changes: writes to one are done one after the other. */
export function subjectOf(contribution: Contribution | null): string | null {
  return contribution?.bank?.id ?? contribution?.property?.materials[0] ?? null
}
