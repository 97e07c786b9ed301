/**
 * Makes the studies that the suites have samples of, `test/support/study.ts`: many tries of one kind, for what happens once in a thousand.
 *
 *     npm run studies                     at full size: an hour
 *     npm run studies -- --only orderings
 *     npm run studies -- --share 0.1      a tenth, as `npm run test:more` does
 */
import { parseArgs } from 'node:util'
import { STUDIES, type Study } from '../test/support/study.ts'
import { say } from './command.mjs'
import { RUN_NAME } from './progress-reporter.mjs'
import { projectOptions } from './projects.mjs'
import { beginRun, type Counts, FAILED } from './results.mjs'
import { runSuites } from './suites.mjs'

const { values } = parseArgs({
  options: { share: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
})
const chosen = Object.entries<Study>(STUDIES).filter(([name]) => name.includes(values.only))

let total: Counts = FAILED
beginRun(() => total)
for (const [name, { of, full }] of chosen) say(`${name}: ${Math.ceil(Number(values.share) * full)} ${of}`)
const files = [...new Set(chosen.map(([, { file }]) => file))]
const env = { ...process.env, STUDIES: values.share, [RUN_NAME]: 'studies' }
const projects = projectOptions(['addresses', 'core', 'postgres', 'processes', 'sqlite'])
const parameters = [...projects, '--testTimeout=7200000', ...files]
if (files.length > 0) total = (await runSuites(parameters, { env })).counts
process.exitCode = total.failed === 0 ? 0 : 1
