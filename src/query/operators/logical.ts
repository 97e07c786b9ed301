/** The names that join whole filters, with the kind of node that each becomes. */
export const LOGICAL_OPERATORS = { $and: 'and', $or: 'or', $nor: 'nor' } as const

export type LogicalOperator = keyof typeof LOGICAL_OPERATORS

/** Tells whether a name joins whole filters. */
export function isLogicalOperator(name: string): name is LogicalOperator {
  return Object.hasOwn(LOGICAL_OPERATORS, name)
}
