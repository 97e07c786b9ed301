import type { Schema } from './schema-words.ts'

/** The description as the server sends it, as far as it is read here. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, DescribedAnswer>>
  }
}

interface DescribedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, DescribedAnswer | Reference>>
}

interface Reference {
  readonly $ref: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
  readonly example?: unknown
}

export interface Content {
  readonly schema: Schema
  readonly example?: unknown
}

interface DescribedAnswer {
  readonly description: string
  readonly content?: Readonly<Record<string, Content>>
}

export interface AnswerWords extends DescribedAnswer {
  readonly status: string
}

/** One method at one address, all that is said of it in one place. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Whether it needs no credential. */
  readonly isOpen: boolean
  readonly parameters: readonly Parameter[]
  readonly bodies: Readonly<Record<string, Content>>
  readonly needsBody: boolean
  readonly success: AnswerWords
  /** Statuses that it may refuse with. */
  readonly failures: readonly AnswerWords[]
}

/** A kind of record: all have the same operations, which are shown for one of them. */
export interface Kind {
  /** What its operations are grouped by: `Materials`. */
  readonly tag: string
  /** Its word in addresses: `materials`. */
  readonly collection: string
  /** Its schema's word in addresses: `material`. */
  readonly name: string
}

/** Reads every operation, with what references lead to. */
export function operationsOf({ paths, components }: Description): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => {
      const answers = Object.entries(one.responses).map(([status, answer]) => ({
        status,
        ...resolved(answer, components.responses),
      }))
      return {
        id: one.operationId,
        method: method.toUpperCase(),
        path,
        tag: one.tags[0] ?? '',
        summary: one.summary,
        description: one.description ?? '',
        isOpen: one.security?.length === 0,
        parameters: (one.parameters ?? []).map((parameter) => resolved(parameter, components.parameters)),
        bodies: one.requestBody?.content ?? {},
        needsBody: one.requestBody?.required ?? false,
        success: answers.find(isSuccess) ?? { status: '200', description: '' },
        failures: answers.filter((answer) => !isSuccess(answer)),
      }
    }),
  )
}

function isSuccess({ status }: AnswerWords): boolean {
  return status.startsWith('2')
}

function resolved<Part extends object>(part: Part | Reference, parts: Readonly<Record<string, Part>>): Part {
  return '$ref' in part ? (parts[part.$ref.split('/').at(-1) ?? ''] as Part) : part
}

/** Finds out which kinds there are: what has a list and versions. */
export function kindsOf(operations: readonly Operation[]): readonly Kind[] {
  return operations.flatMap(({ method, path, tag, id }) => {
    const collection = method === 'GET' ? /\/([\w-]+)\/\{id\}\/history$/.exec(path)?.[1] : undefined
    if (collection === undefined) return []
    const singular = id.replace(/^get/, '').replace(/History$/, '')
    const schema = operations.find((one) => one.id === `show${singular}Schema`)
    return [{ tag, collection, name: schema?.path.split('/').at(-1) ?? collection }]
  })
}

/** Operations under a heading. */
export interface Group {
  readonly title: string
  readonly operations: readonly Operation[]
  /** Whether they are those of one kind, in place of all. */
  readonly isOfKind: boolean
}

/**
 * Puts operations under headings, in their order, each once: of what all kinds have, that of the chosen one; what a kind alone has
 * follows.
 */
export function groupsOf(operations: readonly Operation[], kinds: readonly Kind[], chosen: string): readonly Group[] {
  const byTitle = new Map<string, Operation[]>()
  const seen = new Set<string>()
  const inOrder = [...operations.filter(({ tag }) => tag === chosen), ...operations]
  const folded = new Map(kinds.map(({ tag }) => [tag, RECORDS]))
  // The order of headings is that of the description.
  for (const { tag } of operations) byTitle.set(folded.get(tag) ?? tag, [])
  for (const operation of inOrder) {
    const key = keyOf(operation, kinds, chosen)
    if (key === null || seen.has(key)) continue
    seen.add(key)
    byTitle.get(folded.get(operation.tag) ?? operation.tag)?.push(operation)
  }
  return [...byTitle]
    .filter(([, own]) => own.length > 0)
    .map(([title, own]) => ({ title: inWords(title), operations: own, isOfKind: title === RECORDS }))
}

/** The heading over what all kinds have. */
const RECORDS = 'Records'

/** The same for an operation of every kind; null for the schema of a kind that is not chosen. */
function keyOf({ method, path }: Operation, kinds: readonly Kind[], chosen: string): string | null {
  const schema = kinds.find(({ name }) => path.endsWith(`/schemas/${name}`))
  if (schema !== undefined) return schema.tag === chosen ? path : null
  const steps = path.split('/').map((step) => (kinds.some(({ collection }) => collection === step) ? '*' : step))
  return `${method} ${steps.join('/')}`
}

/** `BankMaterials` as people write it. */
export function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`)
}

/** Whether every word of a search is somewhere in an operation. */
export function matches(
  { id, method, path, tag, summary, description, parameters }: Operation,
  search: string,
): boolean {
  const names = parameters.map(({ name }) => name)
  const all = [id, method, path, tag, summary, description, ...names].join('\n').toLowerCase()
  return wordsOf(search).every((word) => all.includes(word))
}

export function wordsOf(search: string): readonly string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}
