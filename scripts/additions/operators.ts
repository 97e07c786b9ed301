import type { Addition, Edit } from './addition.ts'

const EXPRESSION_CASES = 'test/cases/expressions-logic.cases.ts'
const EXPRESSION_PAGE = 'docs/reference/expressions.md'

/** What an operator of expressions touches; an accumulator is one. */
function expressionPlaces(file: string, where: string, example: readonly Edit[]): Addition['places'] {
  return [
    {
      where,
      write: 'a row: what its operands are parsed to (plain data), and what that compiles to',
      example,
      noticedBy: {
        by: 'test',
        file: 'test/query/expressions.test.ts',
        named: 'are all that the reference has rows for',
        says: '$NAME',
      },
    },
    {
      where: 'test/cases/expressions-FAMILY.cases.ts',
      write: 'cases',
      example: [
        {
          file: EXPRESSION_CASES,
          after: "    ['a number is itself', 5, 5],\n",
          put: `    ['$NAME of an array of numbers', { $NAME: [[1, 2]] }, ${file}],\n`,
        },
      ],
      noticedBy: {
        by: 'test',
        file: 'test/query/expressions.test.ts',
        named: '$NAME has a case and a row in the reference',
        says: '$NAME',
      },
    },
    {
      where: EXPRESSION_PAGE,
      write: 'a row',
      example: [
        {
          file: EXPRESSION_PAGE,
          after: '| `$size` | array | the number of elements |\n',
          put: '| `$NAME` | array | an example |\n',
        },
      ],
      noticedBy: {
        by: 'test',
        file: 'test/query/expressions.test.ts',
        named: '$NAME has a case and a row in the reference',
        says: '$NAME',
      },
    },
  ]
}

/** Operators of the query language. */
export const OPERATOR_ADDITIONS: readonly Addition[] = [
  {
    what: 'a query operator',
    about:
      'It then runs on every store. One that is asked of an array as a whole, or holds where there is no value, as `$size` and `$exists`, has a case in `engine/evaluate-filter.ts` and `engine/element-test.ts` in the place of `engine/ask.ts`.',
    places: [
      {
        where: 'src/query/ast/filter.ts',
        write: 'its node among `PredicateNode`: plain data',
        example: [
          {
            file: 'src/query/ast/filter.ts',
            after: 'export type PredicateNode =\n',
            put: "  | { readonly operator: '$NAME'; readonly wanted: boolean }\n",
          },
        ],
        noticedBy: { by: 'types', file: 'src/query/filter/element.ts', says: '$NAME' },
      },
      {
        where: 'src/query/filter/FAMILY.ts',
        write: 'an `Operator`: how its operand is parsed, what it means',
        example: [
          {
            file: 'src/query/filter/element.ts',
            put: `
export const NAME: Operator<'$NAME'> = {
  parse: (operand) => ({ operator: '$NAME', wanted: operand === true }),
  compile: ({ wanted }, spot) => spot.elements((value) => value === wanted),
}
`,
          },
        ],
        noticedBy: { by: 'types', file: 'src/query/filter/registry.ts', says: "'NAME'" },
      },
      {
        where: 'src/query/filter/registry.ts',
        write: 'a line in `OPERATORS`',
        example: [
          { file: 'src/query/filter/registry.ts', after: 'import { exists, type', put: ', NAME' },
          { file: 'src/query/filter/registry.ts', after: '  $exists: exists,\n', put: '  $NAME: NAME,\n' },
        ],
        noticedBy: { by: 'types', file: 'src/query/filter/registry.ts', says: "Property '$NAME' is missing" },
      },
      {
        where: 'src/engine/ask.ts',
        write: 'a case in `askOf`: which values of a column can pass',
        example: [
          {
            file: 'src/engine/ask.ts',
            after: '  switch (predicate.operator) {\n',
            put: "    case '$NAME':\n      return askEqual(test, [predicate.wanted], [])\n",
          },
        ],
        noticedBy: { by: 'types', file: 'src/engine/ask.ts', says: '$NAME' },
      },
      {
        where: 'src/query/warnings/find-warnings.ts',
        write: 'a case: which operand is probably not meant, or nothing',
        example: [
          {
            file: 'src/query/warnings/find-warnings.ts',
            after: 'inquirePredicate(inquiry, field, one)\n  switch (predicate.operator) {\n',
            put: "    case '$NAME':\n      return\n",
          },
        ],
        noticedBy: { by: 'types', file: 'src/query/warnings/find-warnings.ts', says: '$NAME' },
      },
      {
        where: 'test/cases/FAMILY.cases.ts',
        write: 'cases: documents, the filter, those that it selects',
        example: [
          {
            file: 'test/cases/types.cases.ts',
            after: 'over(typed, [\n',
            put: "  ['$NAME true', { a: { $NAME: true } }, ['yes']],\n",
          },
        ],
        noticedBy: { by: 'test', file: 'test/query/filter-cases.test.ts', named: '$NAME has a case', says: '$NAME' },
      },
      {
        where: 'test/support/arbitrary-filters.ts',
        write: 'a line, so that random questions ask with it',
        example: [
          {
            file: 'test/support/arbitrary-filters.ts',
            after: '  fc.record({ $size: fc.nat(3) }),\n',
            put: '  fc.record({ $NAME: fc.boolean() }),\n',
          },
        ],
        noticedBy: { by: 'test', file: 'test/contract/differential.test.ts', named: 'ask with $NAME', says: '$NAME' },
      },
      {
        where: 'docs/reference/query-language.md',
        write: 'a row',
        example: [
          {
            file: 'docs/reference/query-language.md',
            after: '| `$size` | whole number ≥ 0 | arrays of that many elements |\n',
            put: '| `$NAME` | true or false | an example |\n',
          },
        ],
        noticedBy: {
          by: 'test',
          file: 'test/query/query-language-doc.test.ts',
          named: 'has a row for $NAME',
          says: '',
        },
      },
    ],
  },
  {
    what: 'an expression operator',
    about:
      'A new group of them also has a line in `src/query/expressions/registry.ts`; `npm run check` says so (dead code).',
    places: expressionPlaces('true', 'src/query/expressions/operators/FAMILY.ts', [
      {
        file: 'src/query/expressions/operators/type.ts',
        after: 'export const TYPE_OPERATORS: OperatorGroup = {\n',
        put: '  $NAME: overOne((value) => value !== null),\n',
      },
    ]),
  },
  {
    what: 'an accumulator',
    about:
      'There are no stages, so it is an operator of expressions: over the elements of one array, or over several arguments.',
    places: expressionPlaces('2', 'src/query/expressions/operators/accumulate.ts', [
      {
        file: 'src/query/expressions/operators/accumulate.ts',
        after: 'export const ACCUMULATE_OPERATORS: OperatorGroup = {\n',
        put: '  $NAME: overNumbers((numbers) => numbers.length),\n',
      },
    ]),
  },
]
