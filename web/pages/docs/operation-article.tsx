import { Wide } from '../../parts/wide.tsx'
import { type Schema, schemaRows, schemaWords } from './schema-words.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: Schema
}

interface Content {
  readonly schema: Schema
}

/** One method at one address, as the description of the API has it. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

interface OperationProps {
  readonly operation: Operation
  /** What references lead to. */
  readonly schemas: Readonly<Record<string, Schema>>
}

/** What an address takes and what it answers; opened by who wants to know. */
export function OperationArticle({ operation, schemas }: OperationProps) {
  const { method, path, operationId, summary, description = '', parameters = [], requestBody, responses } = operation
  const [body] = Object.values(requestBody?.content ?? {})
  return (
    <details id={operationId}>
      <summary>
        <code>
          {method} {path}
        </code>{' '}
        {summary}
      </summary>
      <p>{description}</p>
      <Rows
        title="Takes"
        rows={parameters.map(({ name, schema, description = '' }) => [name, schemaWords(schema), description])}
      />
      {body !== undefined && <Rows title="Body" rows={schemaRows(body.schema, schemas)} />}
      <Rows
        title="Answers"
        rows={Object.entries(responses).map(([status, { description }]) => [status, '', description])}
      />
    </details>
  )
}

function Rows({ title, rows }: { readonly title: string; readonly rows: readonly (readonly string[])[] }) {
  if (rows.length === 0) return null
  return (
    <Wide label={title}>
      <table>
        <caption>{title}</caption>
        <tbody>
          {rows.map(([name = '', type = '', words = '']) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{type}</td>
              <td>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
