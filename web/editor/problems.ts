import type { RefusalData, Warning } from '../api/client.ts'
import { placeInJson, placeOfCharacter } from '../query/place-in-json.ts'

/** Something to be said about a place of a text. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly from: number
  readonly to: number
}

/** What the server said that has a place in what it was sent. */
interface Said {
  readonly message: string
  readonly data: RefusalData
}

/**
 * The places of what the server refused, and of what it warned of, in the text of a query.
 * @param root What the server calls the text: its paths begin so.
 */
export function problemsIn(
  text: string,
  root: string,
  { refusal, warnings = [] }: { readonly refusal?: Said | null; readonly warnings?: readonly Warning[] },
): readonly Problem[] {
  const refused = refusal === null || refusal === undefined ? [] : [placed('error', text, root, refusal)]
  const warned = warnings.map(({ message, path }) => placed('warning', text, root, { message, data: { path } }))
  return [...refused, ...warned].filter((problem) => problem !== null)
}

function placed(severity: Problem['severity'], text: string, root: string, { message, data }: Said): Problem | null {
  const { path = '', line, column } = data
  if (path !== root && !path.startsWith(`${root}.`) && !path.startsWith(`${root}[`)) return null
  const place =
    line === undefined || column === undefined
      ? placeInJson(text, path.slice(root.length))
      : placeOfCharacter(text, line, column)
  return place === null ? null : { severity, message, from: place[0], to: place[1] }
}
