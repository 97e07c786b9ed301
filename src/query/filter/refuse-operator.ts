import { nearestName } from '../../kernel/names.ts'
import { atKey, clip, type ParseContext, refusal, show } from '../context.ts'
import { QUERY_ERRORS } from '../errors.ts'
import { EXPRESSION_OPERATORS } from '../expressions/registry.ts'
import { FIELD_OPERATORS, isLogicalOperator, LOGICAL_OPERATORS } from './registry.ts'

const IN_TEXTS = 'For a part of a text write {"$regex":"Si"}'
const IN_LISTS = 'for an element of a list the value alone, {"elements":"Si"}'

const STAGE =
  'It is a stage of a pipeline: give the condition of $match as the query, and sort, skip, limit and fields in the projection.'
const UPDATE = 'It belongs to an update: a query changes nothing.'
const STAGES = '$match $project $group $sort $limit $skip $unwind $lookup $count $addFields $facet'.split(' ')
const UPDATES = '$set $unset $inc $mul $push $pop $pull $pullAll $addToSet $rename'.split(' ')

/** Names of other languages, pipelines and updates, with what to write in a query. */
export const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...Object.fromEntries(STAGES.map((name) => [name, STAGE])),
    ...Object.fromEntries(UPDATES.map((name) => [name, UPDATE])),
    $neq: 'Did you mean $ne?',
    $ge: 'Did you mean $gte?',
    $le: 'Did you mean $lte?',
    $equals: 'Did you mean $eq?',
    $greater: 'Did you mean $gt?',
    $less: 'Did you mean $lt?',
    $notin: 'Did you mean $nin?',
    $notIn: 'Did you mean $nin?',
    $not_in: 'Did you mean $nin?',
    $any: 'Did you mean $in?',
    $hasAll: 'Did you mean $all?',
    $between: 'Write {"$gte":…,"$lte":…} with the two ends.',
    $range: 'Write {"$gte":…,"$lte":…} with the two ends.',
    $like: `${IN_TEXTS}, {"$regex":"^Si"} for its beginning.`,
    $ilike: 'Write {"$regex":"si","$options":"i"}.',
    $startsWith: 'Write {"$regex":"^Si"}.',
    $endsWith: 'Write {"$regex":"Si$"}.',
    $contains: `${IN_TEXTS}, ${IN_LISTS}.`,
    $has: `${IN_TEXTS}, ${IN_LISTS}.`,
    $include: `${IN_TEXTS}, ${IN_LISTS}.`,
    $includes: `${IN_TEXTS}, ${IN_LISTS}.`,
    $isNull: 'Write {"field":null}, or {"field":{"$exists":false}}.',
    $null: 'Write {"field":null}, or {"field":{"$exists":false}}.',
  }),
)

interface Refusal {
  readonly reason: string
  readonly instead: string
}

const JAVASCRIPT: Refusal = {
  reason: 'No JavaScript is ever run on the server.',
  instead: 'Use $expr with aggregation operators, or a condition on the fields.',
}
const GEOMETRY: Refusal = {
  reason: 'Records are crystals and methods, not places on a map; there is no geospatial index.',
  instead: 'Compare the coordinates as numbers with $gte and $lte.',
}
const SEARCH: Refusal = {
  reason: 'There is no full-text index.',
  instead: 'Use $regex, such as {"name":{"$regex":"silicon","$options":"i"}}.',
}
const SCHEMA: Refusal = {
  reason: 'Records are checked against their schema when they are written.',
  instead: 'Use $type and $exists on the fields.',
}
const CHANCE: Refusal = {
  reason: 'The same query must give the same answer, so that pages do not overlap.',
  instead: 'Fetch the ids and draw from them.',
}
const LEGACY: Refusal = {
  reason: 'It belongs to an old form of queries.',
  instead: 'Give the filter itself, and sort and limit in the projection.',
}

/** The operators of MongoDB that this server does not run, and what to do without them. */
export const REFUSED_OPERATORS: ReadonlyMap<string, Refusal> = new Map(
  Object.entries({
    $where: JAVASCRIPT,
    $function: JAVASCRIPT,
    $accumulator: JAVASCRIPT,
    $text: SEARCH,
    $search: SEARCH,
    $searchMeta: SEARCH,
    $vectorSearch: SEARCH,
    $jsonSchema: SCHEMA,
    $sampleRate: CHANCE,
    $rand: CHANCE,
    $geoIntersects: GEOMETRY,
    $geoWithin: GEOMETRY,
    $within: GEOMETRY,
    $near: GEOMETRY,
    $nearSphere: GEOMETRY,
    $geoNear: GEOMETRY,
    $geometry: GEOMETRY,
    $box: GEOMETRY,
    $center: GEOMETRY,
    $centerSphere: GEOMETRY,
    $polygon: GEOMETRY,
    $minDistance: GEOMETRY,
    $maxDistance: GEOMETRY,
    $uniqueDocs: GEOMETRY,
    $query: LEGACY,
    $orderby: LEGACY,
    $hint: LEGACY,
    $alwaysTrue: { reason: 'It is internal to MongoDB.', instead: 'The filter {} matches everything.' },
    $alwaysFalse: { reason: 'It is internal to MongoDB.', instead: 'The filter {"_id":{"$in":[]}} matches nothing.' },
  }),
)

/** The names that may stand where field names stand. */
export const TOP_LEVEL_NAMES: readonly string[] = [...Object.keys(LOGICAL_OPERATORS), '$expr', '$comment']

/** Refuses a $-name that stands where a field name should, at the top of a filter. */
export function refuseTopLevel(name: string, context: ParseContext): Error {
  if (FIELD_OPERATORS.has(name)) {
    return misplaced(name, context, 'stands within a field', `Write {"field":{"${name}":…}}.`)
  }
  return refuse(name, context, TOP_LEVEL_NAMES)
}

/** Refuses a $-name that stands beside the operators of a field. */
export function refuseFieldOperator(name: string, context: ParseContext): Error {
  if (isLogicalOperator(name)) {
    const hint = name === '$nor' ? 'Use $not here, or $nor around the field.' : `Write {"${name}":[{"field":…},…]}.`
    return misplaced(name, context, 'joins whole conditions and stands outside of a field', hint)
  }
  if (name === '$expr') return misplaced(name, context, 'asks of the whole document', 'Write {"$expr":…} at the top.')
  return refuse(name, context, [...FIELD_OPERATORS.keys()])
}

export function refuseFieldName(name: string, context: ParseContext): Error {
  const shown = clip(name, 120)
  return refusal(
    atKey(context, name),
    QUERY_ERRORS.misplacedOperator,
    `Operators and the field "${shown}" are mixed at ${context.place}.`,
    `For a field within, use the dotted path ending in ".${shown}".`,
  )
}

function refuse(name: string, context: ParseContext, known: readonly string[]): Error {
  const place = atKey(context, name)
  const shown = clip(name, 120)
  const refused = REFUSED_OPERATORS.get(name)
  if (refused !== undefined) {
    const message = `${shown} is not supported, at ${context.place}. ${refused.reason}`
    return refusal(place, QUERY_ERRORS.unsupportedOperator, message, refused.instead)
  }
  const message = `Unknown query operator "${shown}" at ${context.place}.`
  return refusal(place, QUERY_ERRORS.unknownOperator, message, hintFor(name, known))
}

function hintFor(name: string, known: readonly string[]): string {
  const elsewhere = OTHER_NAMES.get(name)
  if (elsewhere !== undefined) return elsewhere
  const near = nearestName(name, known)
  if (near !== null) return `Did you mean ${near}?`
  if (EXPRESSION_OPERATORS.has(name)) return `It is an operator of expressions: {"$expr":{"${name}":…}}.`
  const listed = `Known here are ${known.join(', ')}.`
  return name.includes('.') ? `Names of fields stand without $: ${show({ [name.slice(1)]: '…' })}. ${listed}` : listed
}

function misplaced(name: string, context: ParseContext, rule: string, hint: string): Error {
  const message = `${name} ${rule}, not at ${context.place}.`
  return refusal(atKey(context, name), QUERY_ERRORS.misplacedOperator, message, hint)
}
