import type { JsonObject } from '../../kernel/json.ts'
import type { RecordKind } from '../../records/record-kind.ts'
import { API_PREFIX } from '../address.ts'
import type { Route } from '../exchange/route.ts'
import { pascalCase } from './document.ts'
import { type Html, html } from './html.ts'
import { type DescribedRoute, operationHtml } from './operation-html.ts'
import { schemaAnchor, schemaHtml } from './schema-html.ts'

/** Operations under a heading. */
export interface OperationGroup {
  readonly title: string
  readonly operations: readonly Shown[]
}

/** An operation that stands for those of other kinds that are alike. */
interface Shown {
  readonly route: DescribedRoute
  /** Collections of the other kinds, each with the id of its operation. */
  readonly alike: string
}

/** The heading over what all kinds have. */
export const RECORDS = 'Records'

/** Puts operations under headings, in order: of what all kinds have, that of the chosen one, and beside it what one kind alone has. */
export function groupsOf(
  routes: readonly DescribedRoute[],
  kinds: readonly RecordKind[],
  chosen: RecordKind,
): readonly OperationGroup[] {
  const words = new Set(kinds.flatMap(({ collection, name }) => [collection, name]))
  const alike = grouped(routes, ({ method, path }) => {
    const steps = path.split('/').map((step) => (words.has(step) ? '*' : step))
    return `${method} ${steps.join('/')}`
  })
  const shown = [...alike.values()].map((all) => shownOf(all, kinds, chosen))
  const tags = new Set(kinds.map(({ collection }) => pascalCase(collection)))
  const titled = grouped(shown, ({ route: { operation } }) =>
    tags.has(operation.tag) ? RECORDS : inWords(operation.tag),
  )
  return [...titled].map(([title, operations]) => ({ title, operations }))
}

/** Groups values by a name that each has, in the order in which the names come. */
function grouped<Value>(values: readonly Value[], nameOf: (value: Value) => string): ReadonlyMap<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const group = groups.get(nameOf(value))
    if (group === undefined) groups.set(nameOf(value), [value])
    else group.push(value)
  }
  return groups
}

function shownOf(all: readonly DescribedRoute[], kinds: readonly RecordKind[], chosen: RecordKind): Shown {
  const kindOf = ({ path }: DescribedRoute) => {
    const steps = path.split('/')
    return kinds.find(({ collection, name }) => steps.includes(collection) || steps.includes(name))
  }
  const route = all.find((one) => kindOf(one) === chosen) ?? (all[0] as DescribedRoute)
  const others = all.filter((one) => one !== route)
  return { route, alike: others.map((one) => `${kindOf(one)?.collection} ${one.operation.id}`).join(' ') }
}

/** Writes `BankMaterials` as people do. */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])([A-Z])/g, (_, letter: string) => ` ${letter.toLowerCase()}`)
}

/** Everything that the reference is written from, as the description is. */
export interface ReferenceSource {
  readonly routes: readonly Route[]
  readonly kinds: readonly RecordKind[]
  readonly schemas: Readonly<Record<string, JsonObject>>
}

/** Writes the reference for people, with chapters; `chosen` is the kind whose operations are shown where all kinds have the same. */
export function referenceOf(
  { routes, kinds, schemas }: ReferenceSource,
  chosen: RecordKind,
): { readonly operations: string; readonly chapters: string } {
  const groups = groupsOf(routes.filter(isDescribed), kinds, chosen)
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0)
  const operations = html`<section>
<h1>API reference</h1>
<p>Every operation of this server, as it describes itself in <a href=".${API_PREFIX}/openapi.json">openapi.json</a>.
Samples run with a <a href="./account">token</a> in <code>TOKEN</code>; <em>Send</em> uses your session.</p>
<noscript><p>Operations open where JavaScript runs; openapi.json has the same.</p></noscript>
<div class="finding"><label><span class="unseen">Search operations</span>
<input type="search" placeholder="Search: restore, token, errors …"></label>
<span class="fine" role="status">${count} operations</span></div>
<p class="to-read" hidden></p>
<p class="empty" hidden>No operation has these words.</p>
${groups.map((group) => groupHtml(group, kinds, chosen))}
${schemasHtml(schemas)}
</section>`
  const links = [...groups.map(({ title }) => title), SCHEMAS].map(
    (title) => html`<li><a href="#${anchorOf(title)}">${title}</a></li>\n`,
  )
  return { operations: operations.text, chapters: html`<ul>\n${links}</ul>`.text }
}

function isDescribed(route: Route): route is DescribedRoute {
  return route.operation !== undefined
}

function groupHtml({ title, operations }: OperationGroup, kinds: readonly RecordKind[], chosen: RecordKind): Html {
  return html`<section class="group">
<div class="group-head"><h2 id="${anchorOf(title)}">${title}</h2>${title === RECORDS ? kindsHtml(kinds, chosen) : null}</div>
${operations.map(({ route, alike }) => operationHtml(route, alike))}
</section>\n`
}

/** Leads to the same operations of other kinds. */
function kindsHtml(kinds: readonly RecordKind[], chosen: RecordKind): Html {
  const links = kinds.map((kind) => {
    const current = kind === chosen ? html` aria-current="true"` : null
    return html`<a href="./docs?kind=${kind.collection}#${anchorOf(RECORDS)}"${current}>${kind.collection}</a>\n`
  })
  return html`\n<nav class="kinds" aria-label="Kind of record">of the kind\n${links}</nav>`
}

const SCHEMAS = 'Schemas'

/** Shows what operations take and answer where they name it. */
function schemasHtml(schemas: ReferenceSource['schemas']): Html {
  const all = Object.entries(schemas).map(
    ([name, schema]) => html`<details id="${schemaAnchor(name)}"><summary><code>${name}</code></summary>
<template>${schemaHtml(schema)}</template></details>\n`,
  )
  return html`<section class="group">
<div class="group-head"><h2 id="${anchorOf(SCHEMAS)}">${SCHEMAS}</h2></div>
${all}</section>`
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}
