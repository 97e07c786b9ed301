import type { EventSpec } from '../../src/kernel/log.ts'
import { AUDIT_ACTIONS } from '../../src/store/port/audit.ts'
import { type Declared, declaredIn } from './declared-in.ts'

const INTRODUCTION = `# Events

The server writes its log to stderr, one JSON object a line; [\`logLevel\`](configuration.md) says how much of it. What it tells are
events with names, and the names do not change their meaning:

\`\`\`json
{"level":"error","time":"2026-01-15T12:00:00.000Z","pid":4711,"event":"request.failed","request":"k3J9xQ2v-7","code":50001,
 "method":"GET","route":"/api/2018-10-01/materials","err":{"type":"Error","message":"…","stack":"…"},"msg":"A request met …"}
\`\`\`

\`request\` is the id that the client has got as \`X-Request-Id\` and as \`data.requestId\` of a failure. No event has a field for a
password, a token, a header, a body, a query or a record. Every event is counted, also one whose level is not logged:
\`quarry_events_total\` in [\`/metrics\`](metrics.md). Of one event at most 60 lines are written at once, then one a second; \`leftOut\`
in a line says how many before it were left out. Events marked *audit* are in the audit as well.`

const AUDIT = `## The audit

The store keeps who did what, from where and in which request. A row of a change is written in the transaction of the change.
[\`quarry audit\`](cli.md) shows the rows, with \`--json\` as one JSON object a line; [\`auditDays\` and \`auditRows\`](configuration.md) say how
long and how many are kept. Records are in a row by collection and id; of other things \`details\` tells names and roles. Where no user is named,
the operator acted by a command (\`command os:NAME\`), or the server by itself.

| action | what was done |
|---|---|`

/** Collects what every \`events.ts\` of the project declares, by name. */
export async function readEvents(): Promise<readonly Declared<EventSpec>[]> {
  const events = await declaredIn<EventSpec>('events.ts', '_EVENTS')
  return [...events].sort((a, b) => (a.spec.name < b.spec.name ? -1 : 1))
}

/** Writes the reference page of the events; the page in \`docs/reference\` is this text. */
export function eventsPage(events: readonly Declared<EventSpec>[]): string {
  const rows = events.map(({ file, spec: { name, level, title, audit, fields = [] } }) => {
    const told = fields.map((field) => `\`${field}\``).join(' ')
    return `| \`${name}\` | ${level}${audit ? ', audit' : ''} | ${title.replace(/\.$/, '')} | ${told} | ${file.split('/')[0]} |`
  })
  const actions = Object.entries(AUDIT_ACTIONS).map(
    ([action, title]) => `| \`${action}\` | ${title.replace(/\.$/, '')} |`,
  )
  return `${INTRODUCTION}\n\n| event | level | when | fields | room |\n|---|---|---|---|---|\n${rows.join('\n')}\n\n${AUDIT}\n${actions.join('\n')}\n`
}
