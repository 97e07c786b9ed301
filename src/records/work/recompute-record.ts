import { AppError, packError } from '../../kernel/errors.ts'
import { equalJson, type JsonObject, ownField } from '../../kernel/json.ts'
import { faultText } from '../../kernel/worker-task.ts'
import { contributionOf } from '../bank/bank-changes.ts'
import { entryText } from '../bank/bank-entry.ts'
import { completeRecord, type ServerFields } from '../complete-record.ts'
import type { RecordKind } from '../record-kind.ts'
import { formOf } from '../sets/entity-set.ts'
import type { Recomputation, Recomputed, RecomputeOutcome, StoredState } from './recomputation.ts'
import { kindIn, type RecordRules } from './rules.ts'

/** Computes anew what follows from a stored record. What people wrote stays, and their times. */
function recomputeRecord(
  rules: RecordRules,
  { collection, isBank, symmetry }: Recomputation,
  { text, isPublic, noSymmetry }: StoredState,
): RecomputeOutcome {
  // What was found once is not lost where the search is given up now.
  const mayKeepSymmetry = symmetry === 'missing' || noSymmetry !== undefined
  const kind = kindIn(rules, collection)
  const stored = JSON.parse(text) as JsonObject
  const form = formOf(kind, stored)
  const keepsSymmetry =
    rules.symmetry === undefined || symmetry === 'passing' || (mayKeepSymmetry && hasSymmetry(form, stored))
  const known = keepsSymmetry ? stored : undefined
  const { document } = completeRecord(form, stored, keptFields(stored), { ...rules, stored: known })
  const next = isBank ? asEntry(kind, stored, document) : document
  const withoutSymmetry = form.withoutSymmetry?.(document) ?? null
  if (next === null || equalJson(stored, next)) return { unchanged: true, withoutSymmetry }
  const recomputed: Recomputed = {
    text: JSON.stringify(next),
    isPublic,
    before: isBank ? null : contributionOf(kind, isPublic, stored),
    after: isBank ? null : contributionOf(kind, isPublic, next),
    withoutSymmetry,
  }
  return { recomputed }
}

function hasSymmetry(form: RecordKind, stored: JsonObject): boolean {
  return (form.withoutSymmetry?.(stored) ?? null) === null
}

const KEPT = ['_id', 'isDefault', 'owner', 'creator', 'createdAt', 'updatedAt']

function keptFields(stored: JsonObject): ServerFields {
  return Object.fromEntries(KEPT.map((field) => [field, ownField(stored, field) ?? null])) as ServerFields
}

/** An entry of the bank holds a part of what follows from its content; one whose content has another key by now belongs elsewhere. */
function asEntry({ bank }: RecordKind, stored: JsonObject, document: JsonObject): JsonObject | null {
  if (bank === undefined || bank.keyOf(document) !== bank.keyOf(stored)) return null
  return { ...(JSON.parse(entryText(bank, String(stored._id), document)) as JsonObject), ...counted(stored) }
}

function counted(stored: JsonObject): JsonObject {
  const { sharedCount = null, createdAt = null, updatedAt = null } = stored
  return { sharedCount, createdAt, updatedAt }
}

/** The same, with whatever is wrong as the outcome of this record. */
export function recomputeOutcome(rules: RecordRules, what: Recomputation, state: StoredState): RecomputeOutcome {
  try {
    return recomputeRecord(rules, what, state)
  } catch (error) {
    return error instanceof AppError ? { refusal: packError(error) } : { fault: faultText(error) }
  }
}
