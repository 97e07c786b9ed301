import { type JsonObject, ownField } from '../../kernel/json.ts'
import { contentId, slugOf } from '../ids.ts'
import { isEntitySet } from '../kinds/entity-set.ts'
import type { Bank, RecordKind } from '../record-kind.ts'

/** The account that the bank's records are stored under; nobody can be in it. */
export const BANK_ACCOUNT = contentId('bank', 'account')

/** The `_id` that a content has in the bank: always and everywhere the same. */
export function bankId(bank: Bank, key: string): string {
  return contentId('bank', bank.collection, key)
}

/** The content that a public record shares with everybody; plain data, so that it can come from another thread. */
export interface BankContribution {
  /** Collection of the bank. */
  readonly collection: string
  readonly id: string
  /** The entry as JSON text, but for what changes with those who share it: `{"_id":…,…}`. */
  readonly entry: string
}

const kinds = new WeakMap<Bank, RecordKind>()

/** The kind under which the records of a bank are listed and read. */
export function bankKindOf(kind: RecordKind & { readonly bank: Bank }): RecordKind {
  const { bank } = kind
  let bankKind = kinds.get(bank)
  if (bankKind === undefined) {
    const { bank: _bank, contentField: _contentField, ...own } = kind
    bankKind = { ...own, name: bank.name, collection: bank.collection }
    kinds.set(bank, bankKind)
  }
  return bankKind
}

/** Tells whether public records of a kind are gathered in a bank. */
export function isBanked(kind: RecordKind): kind is RecordKind & { readonly bank: Bank } {
  return kind.bank !== undefined
}

/** The banks that there are, as kinds of records. */
export function bankKinds(kinds: readonly RecordKind[]): readonly RecordKind[] {
  return kinds.filter(isBanked).map(bankKindOf)
}

/** Text of a record's entry in its bank. */
export function entryText(bank: Bank, id: string, document: JsonObject): string {
  const entry = bank.entryOf(document)
  return JSON.stringify({
    _id: id,
    ...entry,
    slug: slugOf(String(ownField(entry, 'name') ?? '')),
    tags: [],
    isPublic: true,
    isDefault: false,
    schemaVersion: ownField(document, 'schemaVersion') ?? null,
  })
}

/** Tells what a record contributes to the bank of its kind. */
export function bankContributionOf(
  { bank }: RecordKind,
  isPublic: boolean,
  document: JsonObject,
): BankContribution | null {
  if (bank === undefined || !isPublic) return null
  const key = isEntitySet(document) ? null : bank.keyOf(document)
  if (key === null) return null
  const id = bankId(bank, key)
  return { collection: bank.collection, id, entry: entryText(bank, id, document) }
}
