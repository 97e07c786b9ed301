import { useState } from 'preact/hooks'
import { type Schema, schemaWords } from './schema-words.ts'

type Schemas = Readonly<Record<string, Schema>>

interface SchemaProps {
  readonly schema: Schema
  /** What references lead to. */
  readonly schemas: Schemas
}

/** What an object has, a row each; what has rows of its own is opened by who wants to know. */
export function SchemaView({ schema, schemas }: SchemaProps) {
  const { properties = {}, required = [] } = opened(schema, schemas) ?? {}
  const rows = Object.entries(properties)
  if (rows.length === 0)
    return (
      <p>
        <span class="type">{schemaWords(schema)}</span> {schema.description}
      </p>
    )
  return (
    <ul class="schema">
      {rows.map(([name, one]) => (
        <Member key={name} name={name} isRequired={required.includes(name)} schema={one} schemas={schemas} />
      ))}
    </ul>
  )
}

function Member({ name, isRequired, schema, schemas }: SchemaProps & { name: string; isRequired: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const line = (
    <>
      <code>{name}</code> <span class="type">{schemaWords(schema)}</span>
      {isRequired && <span class="needed"> needed</span>}
      {schema.default !== undefined && <span class="type">, else {JSON.stringify(schema.default)}</span>}
      {schema.description !== undefined && <span class="meaning"> {schema.description}</span>}
    </>
  )
  if (opened(schema, schemas) === null) return <li>{line}</li>
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{line}</summary>
        {isOpen && <SchemaView schema={schema} schemas={schemas} />}
      </details>
    </li>
  )
}

/** The object that a schema is, or is a list of; null for what has no members that are known. */
function opened(schema: Schema, schemas: Schemas): Schema | null {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.split('/').at(-1) ?? '']
    return target === undefined ? null : opened(target, schemas)
  }
  if (Object.keys(schema.properties ?? {}).length > 0) return schema
  const inner = schema.items ?? (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null')
  return inner === undefined ? null : opened(inner, schemas)
}
