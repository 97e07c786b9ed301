import { useEffect, useState } from 'preact/hooks'
import { fetchPlain, ROOT } from '../../api/client.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { type Operation, OperationArticle } from './operation-article.tsx'
import type { Schema } from './schema-words.ts'

const READING: readonly (readonly [file: string, title: string, words: string])[] = [
  ['api', 'The HTTP API', 'envelope, credentials, lists, records'],
  ['query-language', 'Query language', 'every operator of a query'],
  ['query-language-projection', 'Projection', 'sort, skip, limit, fields'],
  ['expressions', 'Expressions', 'every operator of $expr'],
  ['records', 'Records', 'what a material and a method hold'],
  ['optimade', 'OPTIMADE', 'the same materials for clients of that standard'],
  ['formats', 'Formats', 'structure files that are read'],
  ['errors', 'Errors', 'every code and what it stands for'],
  ['warnings', 'Warnings', 'what stands beside an answer that was probably not meant'],
  ['configuration', 'Configuration', 'every setting'],
  ['cli', 'Command line', 'every command'],
  ['events', 'Events', 'what the log says'],
  ['metrics', 'Metrics', 'for Prometheus'],
]

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Every address of this server, as it describes itself. */
export function DocsPage() {
  const [description, setDescription] = useState<Description | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    fetchPlain('GET', '/openapi.json')
      .then((response) => response.json())
      .then(setDescription, setError)
  }, [])
  return (
    <section>
      <h1>API reference</h1>
      <h2 id="reading">Reading</h2>
      <ul class="columns">
        {READING.map(([file, title, words]) => (
          <li key={file}>
            <a href={`${ROOT}/docs/${file}.md`}>{title}</a>: {words}
          </li>
        ))}
      </ul>
      <h2 id="addresses">Addresses</h2>
      {error !== null && <RefusalBox error={error} />}
      {description === null ? error === null && <Skeleton /> : <Addresses description={description} />}
    </section>
  )
}

function Addresses({ description }: { readonly description: Description }) {
  useEffect(() => {
    // The browser looked for the place before it was there.
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
  }, [])
  return (
    <>
      {operationsOf(description).map((operation) => (
        <OperationArticle key={operation.operationId} operation={operation} schemas={description.components.schemas} />
      ))}
    </>
  )
}

function operationsOf({ paths }: Description): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}
