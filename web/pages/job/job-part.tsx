import type { ComponentChildren } from 'preact'
import { recordPath } from '../../../src/page/addresses.ts'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { Link } from '../../app/router.tsx'
import { Instant } from '../../parts/instant.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { PropertyCards } from '../../properties/property-cards.tsx'
import { type PropertyRecord, shownRecords } from '../../properties/shown-properties.ts'
import { durationWords, isDoubtful, type Job, materialsOf, statusWords, stepsOf, textAt, textsOf } from './job.ts'
import { MaterialLinks } from './material-links.tsx'

/** More than a run gives. */
const MOST_PROPERTIES = 200

/** What was computed, with what, and all that came of it. */
function JobFacts({ record: job, id }: { readonly record: Job; readonly id: string }) {
  const found = useAnswer<readonly PropertyRecord[]>(
    reading('/properties', {
      query: JSON.stringify({ 'source.info.jobId': id }),
      projection: JSON.stringify({
        fields: { 'data.name': 1, summary: 1, group: 1, caveat: 1, exabyteId: 1, source: 1 },
      }),
      limit: String(MOST_PROPERTIES),
    }),
  )
  const properties = shownRecords(found.data ?? [])
  const about = materialsOf(job)
  const results = [...new Set((found.data ?? []).flatMap(({ exabyteId }) => exabyteId ?? []))].filter(
    (one) => !about.includes(one),
  )
  const [leftOut, warnings] = [textsOf(job['leftOut']), textsOf(job['warnings'])]
  const duration = durationWords(job)
  return (
    <>
      <dl class="fact-rows">
        <Fact name="Status">
          <span class={isDoubtful(job) ? 'doubtful' : undefined}>{statusWords(job)}</span>
        </Fact>
        {about.length > 0 && (
          <Fact name="About">
            <MaterialLinks ids={about} />
          </Fact>
        )}
        {results.length > 0 && (
          <Fact name="Structure found">
            <MaterialLinks ids={results} />
          </Fact>
        )}
        {stepsOf(job).map(({ program, model, method }, index) => (
          <Fact key={index} name="Computed with">
            {[program, model, method].filter((words) => words !== '').join('; ')}
          </Fact>
        ))}
        <MethodFact id={textAt(job, '_method._id')} />
        <TimeFact name="Started" at={textAt(job, 'startedAt')} />
        {duration !== null && <Fact name="Took">{duration}</Fact>}
      </dl>
      {warnings.length > 0 && (
        <div class="refusal warning">
          {warnings.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      )}
      {found.error !== undefined && <RefusalBox error={found.error} />}
      {properties.length > 0 && (
        <>
          <h2>Properties</h2>
          <PropertyCards properties={properties} materialId={results[0] ?? about[0] ?? null} hasJobs={false} />
        </>
      )}
      {job['inputs'] !== undefined && (
        <>
          <h2>Inputs</h2>
          <JsonTree label="Inputs of this job" value={job['inputs']} />
        </>
      )}
      {leftOut.length > 0 && (
        <>
          <h2>Read and not kept</h2>
          <p>These parts of the output are in no record; they are in the files.</p>
          <ul class="left-out">
            {leftOut.map((part) => (
              <li key={part}>{part}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function MethodFact({ id }: { readonly id: string | null }) {
  const { data } = useAnswer<{ readonly name?: string }>(
    reading(id === null ? null : `/methods/${encodeURIComponent(id)}`, {
      fields: '{"name":1}',
    }),
  )
  if (id === null) return null
  return (
    <Fact name="Method">
      <Link to={recordPath('methods', id)}>{data?.name ?? id}</Link>
    </Fact>
  )
}

function TimeFact({ name, at }: { readonly name: string; readonly at: string | null }) {
  if (at === null) return null
  return (
    <Fact name={name}>
      <Instant at={at} otherwise={at} />
    </Fact>
  )
}

/** What the page of a job shows in its own way. */
export const JOB_PART = {
  view: JobFacts,
  told: new Set(
    'status isConverged workflow inputs leftOut warnings startedAt wallSeconds _material _materials _method'.split(' '),
  ),
}
