import type { Constant } from './token.ts'

/** The operators that compare values. */
export type ComparisonSign = '=' | '!=' | '<' | '<=' | '>' | '>='

/** A property as a filter names it, nested names with their dots. */
export interface PropertyName {
  readonly text: string
  readonly column: number
}

/** What an element of a list is compared with; `=` where the filter writes no operator. */
export interface ElementTest {
  readonly sign: ComparisonSign
  readonly constant: Constant
}

/** Of a list: one element, an element for each test, an element for any of the tests, or no element that fails all tests. */
export type Quantifier = 'one' | 'all' | 'any' | 'only'

/** How a text is searched for within another. */
export type TextForm = 'CONTAINS' | 'STARTS' | 'ENDS'

/** One condition on one property. */
export type Comparison =
  | {
      readonly kind: 'compare'
      readonly property: PropertyName
      readonly sign: ComparisonSign
      readonly constant: Constant
    }
  | { readonly kind: 'text'; readonly property: PropertyName; readonly form: TextForm; readonly constant: Constant }
  | {
      readonly kind: 'has'
      readonly property: PropertyName
      readonly quantifier: Quantifier
      readonly tests: readonly ElementTest[]
    }
  | {
      readonly kind: 'length'
      readonly property: PropertyName
      readonly sign: ComparisonSign
      readonly constant: Constant
    }

/** A filter of the OPTIMADE API after parsing: its grammar, before any property is looked up. */
export type Expression =
  | Comparison
  | { readonly kind: 'and' | 'or'; readonly clauses: readonly Expression[] }
  | { readonly kind: 'not'; readonly clause: Expression }
  | { readonly kind: 'known'; readonly property: PropertyName; readonly known: boolean }
