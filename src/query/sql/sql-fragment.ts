/** A value that a statement binds. */
export type SqlValue = number | string | null

/** A piece of SQL with the values of its placeholders, in order; text never carries a client's value. */
export interface SqlFragment {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** Writes SQL: fragments in the template are spliced, everything else is bound. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (SqlFragment | SqlValue)[]): SqlFragment {
  let text = strings[0] ?? ''
  const values: SqlValue[] = []
  parts.forEach((part, index) => {
    if (typeof part === 'object' && part !== null) {
      text += part.text
      for (const value of part.values) values.push(value)
    } else {
      text += '?'
      values.push(part)
    }
    text += strings[index + 1]
  })
  return { text, values }
}

/** Joins fragments with a separator that is SQL itself, for instance ` AND `. */
export function joinSql(fragments: readonly SqlFragment[], separator: string): SqlFragment {
  return {
    text: fragments.map((fragment) => fragment.text).join(separator),
    values: fragments.flatMap((fragment) => fragment.values),
  }
}

/** Writes `column IN (?, ?)`, or `column = ?` for one value. */
export function oneOf(column: SqlFragment, values: readonly SqlValue[]): SqlFragment {
  const [first = null] = values
  if (values.length === 1) return sql`${column} = ${first}`
  return { text: `${column.text} IN (${values.map(() => '?').join(', ')})`, values: [...column.values, ...values] }
}
