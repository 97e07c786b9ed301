import type { EventSpec } from '../../src/kernel/log.ts'
import { type Declared, declaredIn } from './declared-in.ts'

const INTRODUCTION = `# Events

The server writes its log to stderr, one JSON object a line; [\`logLevel\`](configuration.md) says how much of it. What it tells are
events with names, and the names do not change their meaning:

\`\`\`json
{"level":"error","time":"2026-01-15T12:00:00.000Z","pid":4711,"event":"request.failed","request":"k3J9xQ2v-7","code":50001,
 "method":"GET","route":"/api/2018-10-01/materials","err":{"type":"Error","message":"…","stack":"…"},"msg":"A request met …"}
\`\`\`

\`request\` is the id that the client has got as \`X-Request-Id\` and as \`data.requestId\` of a failure. No event has a field for a
password, a token, a header, a body, a query or a record. Every event is counted, those too that are too quiet to be written:
\`quarry_events_total\` in [\`/metrics\`](api.md). Events marked *audit* are kept in the store as well.`

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
  return `${INTRODUCTION}\n\n| event | level | when | fields | room |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
}
