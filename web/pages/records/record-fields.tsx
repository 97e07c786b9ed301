import { Instant } from '../../parts/instant.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { RecordLinks } from '../../parts/names-of-records.tsx'
import { Wide } from '../../parts/wide.tsx'
import type { FieldContent, Reference, ShownField } from '../../schema/shown-fields.ts'

/** As many links as a field shows. */
const MOST_LINKS = 20

/** What a record has in its fields: what is short in rows, tables and JSON below. */
export function RecordFields({ fields, one }: { readonly fields: readonly ShownField[]; readonly one: string }) {
  const isShort = ({ content: { kind } }: ShownField) => kind === 'text' || kind === 'links'
  const rows = fields.filter(isShort)
  return (
    <>
      {rows.length > 0 && (
        <dl class="fact-rows">
          {rows.map(({ path, label, hint, content }) => (
            <div key={path}>
              <dt title={hint}>{label}</dt>
              <dd>
                <Short content={content} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {fields
        .filter((field) => !isShort(field))
        .map(({ path, label, hint, content }) => (
          <section key={path}>
            <h2>{label}</h2>
            {hint !== undefined && <p class="fine">{hint}</p>}
            {content.kind === 'table' && <FieldTable label={label} content={content} />}
            {content.kind === 'json' && <JsonTree label={`${label} of this ${one}`} value={content.value} />}
          </section>
        ))}
    </>
  )
}

function Short({ content }: { readonly content: FieldContent }) {
  if (content.kind === 'links') {
    return (
      <>
        {byCollection(content.to).map(([collection, ids]) => (
          <RecordLinks key={collection} collection={collection} ids={ids} most={MOST_LINKS} />
        ))}
      </>
    )
  }
  if (content.kind !== 'text') return null
  const { text, unit } = content
  return /^\d{4}-\d\d-\d\dT/.test(text) ? (
    <Instant at={text} otherwise={text} />
  ) : (
    <>
      {text}
      {unit !== undefined && <span class="unit"> {unit}</span>}
    </>
  )
}

/** The ids of what is named, by collection. */
export function byCollection(references: readonly Reference[]): readonly (readonly [string, readonly string[]])[] {
  const ids = new Map<string, string[]>()
  for (const { collection, id } of references) ids.set(collection, [...(ids.get(collection) ?? []), id])
  return [...ids]
}

type Table = Extract<FieldContent, { kind: 'table' }>

function FieldTable({ label, content: { columns, rows } }: { readonly label: string; readonly content: Table }) {
  return (
    <Wide label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, unit }) => (
              <th key={title} scope="col">
                {title}
                {unit !== undefined && <span class="unit"> {unit}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((text, at) => (
                <td key={columns[at]?.title}>{text}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
