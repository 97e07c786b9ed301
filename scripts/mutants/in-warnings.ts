import type { Mutant } from './mutant.ts'

const CONTRADICTIONS = 'src/query/warnings/contradictions.ts'
const WARNINGS = { tests: ['test/query/warnings.test.ts'] }
const WRITES = { tests: ['test/records/write-warnings.test.ts'] }

/** Mistakes in what is told beside an answer. */
export const WARNING_MUTANTS: readonly Mutant[] = [
  {
    name: 'contradictions are told of fields of which nothing is known',
    file: CONTRADICTIONS,
    find: "?.has('array') !== false)\n}",
    replace: "?.has('array') === true)\n}",
    ...WARNINGS,
  },
  {
    name: 'of two equal bounds the inclusive one counts',
    file: CONTRADICTIONS,
    find: 'order > 0 || (order === 0 && !one.inclusive)',
    replace: 'order > 0 || (order === 0 && one.inclusive)',
    ...WARNINGS,
  },
  {
    name: 'a span of one value is empty',
    file: CONTRADICTIONS,
    find: '!(lower.inclusive && upper.inclusive)',
    replace: '!(lower.inclusive && !upper.inclusive)',
    ...WARNINGS,
  },
  {
    name: 'one of several conditions of which one has to hold contradicts the others',
    file: CONTRADICTIONS,
    find: "else if (filter.kind === 'and') for",
    replace: "else if (filter.kind !== 'expr') for",
    ...WARNINGS,
  },
  {
    name: 'a request has as many warnings as there are fields in it',
    file: 'src/query/warnings/field-knowledge.ts',
    find: 'return this.#warnings.length >= MOST_WARNINGS',
    replace: 'return false',
    ...WARNINGS,
  },
  {
    name: 'one field is warned of for each time that it is named',
    file: 'src/query/warnings/field-knowledge.ts',
    find: '    this.#told.add(name)\n',
    replace: '',
    ...WARNINGS,
  },
  {
    name: 'what is not to hold is taken as what is to hold',
    file: 'src/query/warnings/find-warnings.ts',
    find: 'isNegated: !within.isNegated })',
    replace: 'isNegated: within.isNegated })',
    ...WARNINGS,
  },
  {
    name: 'an array on the way to a field is taken for nothing',
    file: 'src/query/warnings/consequence.ts',
    find: 'reached.every((one) => one === ofNothing) ? ofNothing : null',
    replace: 'reached.length >= 0 ? ofNothing : null',
    ...WARNINGS,
  },
  {
    name: 'predicates of one condition are told of one by one',
    file: 'src/query/warnings/find-warnings.ts',
    find: 'else if (before?.place === clause.place)',
    replace: 'else if (before === clause)',
    ...WARNINGS,
  },
  {
    name: 'a hint does not keep that a value is not wanted',
    file: 'src/query/warnings/edited-condition.ts',
    find: ': { $not: operators }',
    replace: ': operators',
    ...WARNINGS,
  },
  {
    name: 'a hint is given that has the same fault',
    file: 'src/query/warnings/proposal.ts',
    find: 'codes === null || codes.has(fault.code)',
    replace: 'codes === null',
    ...WARNINGS,
  },
  {
    name: 'what the whole did not find is taken for what a condition does not find',
    file: 'src/query/warnings/value-spelling.ts',
    find: 'foundNothing && condition === only && ',
    replace: 'foundNothing && ',
    ...WARNINGS,
  },
  {
    name: 'the names that somebody is told are those of whoever asked before',
    file: 'src/query/warnings/unknown-field.ts',
    find: 'suggested.get(knowledge) ?? new Map<string, readonly string[]>()\n  suggested.set(knowledge, known)',
    replace:
      'suggested.get(guide as never) ?? new Map<string, readonly string[]>()\n  suggested.set(guide as never, known)',
    ...WARNINGS,
  },
  {
    name: 'a list of values is warned of where one of them is of a type that the field has not',
    file: 'src/query/warnings/find-warnings.ts',
    find: 'if (!values.some(fits))',
    replace: 'if (!values.every(fits))',
    ...WARNINGS,
  },
  {
    name: 'names of fields are remembered whatever object they are in',
    file: 'src/records/warnings/near-fields.ts',
    find: 'JSON.stringify([described.above, ...Object.keys(object)])',
    replace: 'JSON.stringify(Object.keys(object))',
    tests: ['test/records/near-fields.test.ts'],
  },
  {
    name: 'names of fields are remembered of a record that is changed',
    file: 'src/records/warnings/near-fields.ts',
    find: 'isNew ? inNewObject',
    replace: 'document !== before ? inNewObject',
    tests: ['test/records/near-fields.test.ts'],
  },
  {
    name: 'what a check found before is told again at every change',
    file: 'src/records/warnings/write-warnings.ts',
    find: "severity !== 'info' && !known.includes(message)",
    replace: "severity !== 'info'",
    ...WRITES,
  },
  {
    name: 'a computed field that is sent back as it was is warned of when it follows anew',
    file: 'src/records/warnings/write-warnings.ts',
    find: '    if (equalJson(sent, ownField(before, field))) return []\n    const message =\n      stored === undefined',
    replace: '    const message =\n      stored === undefined',
    ...WRITES,
  },
  {
    name: 'warnings of a write have no end',
    file: 'src/records/warnings/write-warnings.ts',
    find: 'finders.flatMap((find) => find(written)).slice(0, MOST_WARNINGS)',
    replace: 'finders.flatMap((find) => find(written))',
    ...WRITES,
  },
]
