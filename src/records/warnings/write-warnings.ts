import { equalJson, isJsonArray, isJsonObject, type Json, type JsonObject, ownField } from '../../kernel/json.ts'
import { type Warning, warning } from '../../kernel/warnings.ts'
import { clip, show } from '../../query/context.ts'
import { FILES_FIELD } from '../attached-files.ts'
import type { RecordKind } from '../record-kind.ts'
import { isGivenId, spellInstant } from '../spelling.ts'
import { isUnreachable } from '../validate-record.ts'
import { guideOf } from './field-guide.ts'
import { nearFields } from './near-fields.ts'
import { RECORD_WARNINGS } from './warnings.ts'

/** A record that is about to be stored. */
export interface EditedRecord {
  /** Its kind, or that of sets of it. */
  readonly form: RecordKind
  /** As it was; empty for a new one. */
  readonly before: JsonObject
  /** As the client wants it. */
  readonly edited: JsonObject
  /** As it will be, with what the server computes. */
  readonly after: JsonObject
}

/** A warning of a record. `unlessSeen`: it is none where other records that the writer sees have the field as well. */
export type WriteWarning = Warning & { readonly unlessSeen?: true }

/** More of them are read by nobody. */
const MOST_WARNINGS = 20
/** Findings of checks, and values of others: no statements of the client. */
const NO_STATEMENTS = ['consistencyChecks', 'derivedProperties']
/** As far as computed numbers are compared with those that are sent: as they are printed. */
const TOLERANCE = 1e-3

/** Finds what a new version probably does not say that was meant. It needs no store: it runs where records are made. */
export function writeWarnings(written: EditedRecord): readonly WriteWarning[] {
  const ofUpdate = Object.keys(written.before).length === 0 ? [] : [ofOperators]
  const finders = [ofNames, ...ofUpdate, ofUnreachableKeys, ofServerFields, ofReplacedValues, ofFindings, ofKind]
  return finders.flatMap((find) => find(written)).slice(0, MOST_WARNINGS)
}

/** Finds what an update probably does not say that was meant, whatever record it is of. */
export function updateWarnings(written: EditedRecord): readonly WriteWarning[] {
  return [ofNames, ofOperators, ofUnreachableKeys].flatMap((find) => find(written)).slice(0, MOST_WARNINGS)
}

function ofNames({ form, before, edited }: EditedRecord): WriteWarning[] {
  return nearFields(edited, before, guideOf(form)).map(({ path, meant }) => {
    const message = `The ${form.name} has the field "${clip(path, 80)}", which nothing here reads.`
    return { ...warning(RECORD_WARNINGS.nearlyField, path, message, `Did you mean "${meant}"?`), unlessSeen: true }
  })
}

function ofKind({ form, before, edited }: EditedRecord): readonly Warning[] {
  const known = form.remarks?.(before).map(({ message }) => message) ?? []
  return form.remarks?.(edited).filter(({ message }) => !known.includes(message)) ?? []
}

/** Operators of updates, without their $. */
const UPDATE_NAMES = 'set unset inc mul push pop pull pullAll addToSet rename'.split(' ')

/** `{"set":{"name":"Si"}}` as an update stores a field `set`. */
function ofOperators({ before, edited }: EditedRecord): Warning[] {
  return UPDATE_NAMES.filter((name) => isJsonObject(ownField(edited, name)) && !Object.hasOwn(before, name)).map(
    (name) => {
      const message = `Without its $, "${name}" is the name of a field, and is taken for one.`
      return warning(
        RECORD_WARNINGS.missingDollar,
        name,
        message,
        'An update is {"$set":{…},"$unset":{…}}, or fields by name.',
      )
    },
  )
}

/** Keys with dots, and empty ones, below the top, where they are refused. */
function ofUnreachableKeys({ before, edited }: EditedRecord): Warning[] {
  const keys = unreachableKeys(edited)
  const known = keys.length === 0 ? [] : unreachableKeys(before)
  return keys
    .filter((key) => !known.includes(key))
    .map((key) => {
      const what = key === '' ? 'An empty key is in the record' : `The key ${show(key)} has a dot`
      const hint = key === '' ? 'Give it a name.' : 'Write an object within an object, or another character.'
      return warning(
        RECORD_WARNINGS.unreachableKey,
        key,
        `${what}: no path of a query leads to it, only $getField.`,
        hint,
      )
    })
}

function unreachableKeys(document: JsonObject): readonly string[] {
  const keys: string[] = []
  const visit = (value: Json, isTop: boolean): void => {
    if (keys.length >= MOST_WARNINGS) return
    if (isJsonArray(value)) for (const item of value) visit(item, false)
    else if (isJsonObject(value)) {
      for (const [key, below] of Object.entries(value)) {
        if (!isTop && isUnreachable(key)) keys.push(key)
        visit(below, false)
      }
    }
  }
  visit(document, true)
  return keys
}

/** Fields that the server sets in a new record, with a test for such values: a record may be made from another. */
const GIVEN: Readonly<Record<string, (value: Json) => boolean>> = {
  _id: isGivenId,
  createdAt: isInstant,
  updatedAt: isInstant,
}

function ofServerFields({ before, edited, after }: EditedRecord): Warning[] {
  return Object.entries(GIVEN).flatMap(([field, isGiven]) => {
    const [sent, stored] = [ownField(edited, field) ?? null, ownField(after, field)]
    if (sent === null || isGiven(sent) || equalJson(sent, stored) || equalJson(sent, ownField(before, field))) return []
    const message = `The server gives a record its "${field}": it is ${show(stored ?? null)}, not ${show(sent)}.`
    return [warning(RECORD_WARNINGS.replacedValue, field, message, 'Keep what is yours in a field of its own.')]
  })
}

function isInstant(value: Json): boolean {
  return typeof value === 'string' && spellInstant(value) === null
}

/** Whole records are sent back, so what is sent may well be what was computed before. */
function ofReplacedValues({ form, before, edited, after }: EditedRecord): Warning[] {
  const fields = [FILES_FIELD, ...(form.derivedFields ?? [])].filter((field) => !NO_STATEMENTS.includes(field))
  return fields.flatMap((field) => {
    const [sent, stored] = [ownField(edited, field), ownField(after, field)]
    if (sent === undefined || sent === null || isAlike(sent, stored)) return []
    if (equalJson(sent, ownField(before, field))) return []
    const message =
      stored === undefined
        ? `The server computes "${field}", and found none: ${show(sent)} is not kept.`
        : `The server computes "${field}": it is ${show(stored)}, not ${show(sent)}.`
    return [warning(RECORD_WARNINGS.replacedValue, field, message, 'Leave it out: it follows from the other fields.')]
  })
}

function isAlike(sent: Json, stored: Json | undefined): boolean {
  if (typeof sent === 'number' && typeof stored === 'number') {
    return Math.abs(sent - stored) <= TOLERANCE * Math.abs(stored)
  }
  // Other programs tell less, or more, of a space group.
  if (isJsonObject(sent) && isJsonObject(stored)) {
    return Object.keys(sent).every((key) => !Object.hasOwn(stored, key) || equalJson(sent[key], stored[key]))
  }
  return equalJson(sent, stored)
}

function ofFindings({ before, after }: EditedRecord): Warning[] {
  const known = findingsOf(before).map(({ message }) => message)
  return findingsOf(after)
    .filter(({ severity, message }) => severity !== 'info' && !known.includes(message))
    .map(({ key, message, code, hint }) => ({
      code: typeof code === 'number' ? code : RECORD_WARNINGS.oddRecord.code,
      path: String(key),
      message: String(message),
      ...(typeof hint === 'string' ? { hint } : {}),
    }))
}

function findingsOf(document: JsonObject): readonly JsonObject[] {
  const findings = ownField(document, 'consistencyChecks')
  return isJsonArray(findings) ? findings.filter(isJsonObject) : []
}
