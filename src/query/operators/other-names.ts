const IN_TEXTS = 'For a part of a text write {"$regex":"Si"}'
const IN_LISTS = 'for an element of a list the value alone, {"elements":"Si"}'

const STAGE =
  'It is a stage of a pipeline: give the condition of $match as the query, and sort, skip, limit and fields in the projection.'
const UPDATE = 'It belongs to an update: send it with PATCH to the record.'
const STAGES = '$match $project $group $sort $limit $skip $unwind $lookup $count $addFields $facet'.split(' ')
const UPDATES = '$set $unset $inc $push $pull $addToSet $rename'.split(' ')

/** What other languages, pipelines and updates have, with what is written in a query. */
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
    $between: 'Write {"$gte":2,"$lte":3}.',
    $range: 'Write {"$gte":2,"$lte":3}.',
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
