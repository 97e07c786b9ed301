import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { type PageAddress, pagePath } from '../../../src/page/addresses.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { noteRecent } from '../../app/recent.ts'
import { backTo, Link } from '../../app/router.tsx'
import { writes } from '../../app/undo.ts'
import { CopyButton } from '../../parts/copyable.tsx'
import { Instant } from '../../parts/instant.tsx'
import { JsonTree } from '../../parts/json-tree.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { PropertyCards } from '../../properties/property-cards.tsx'
import { type PropertyRecord, shownRecords } from '../../properties/shown-properties.ts'
import { ProvenancePart } from '../../provenance/provenance-part.tsx'
import { isMine } from '../curate/ownership.ts'
import { RecordFiles } from '../curate/record-files.tsx'
import { durationWords, isDoubtful, type Job, leftOutOf, materialsOf, statusWords, stepsOf, textAt } from './job.ts'
import { MaterialLinks } from './material-links.tsx'
import '../material/material.css'

/** One job: what was computed, with what, and all that came of it. */
export function JobPage({ address }: { readonly address: PageAddress }) {
  const { id = '' } = address.at
  const { data, error } = useAnswer<Job>(`/jobs/${encodeURIComponent(id)}`, {}, writes.value)
  return (
    <div class="material">
      <p class="back">
        <Link to="/jobs" onFollow={backTo('/jobs')}>
          ← Jobs
        </Link>
      </p>
      {error !== undefined && (
        <>
          <h1>There is no such job for you</h1>
          <RefusalBox error={error} />
        </>
      )}
      {error === undefined && data === null && <Skeleton />}
      {data !== null && <Present key={id} job={data} id={id} />}
    </div>
  )
}

/** More than a run gives. */
const MOST_PROPERTIES = 200

function Present({ job, id }: { readonly job: Job; readonly id: string }) {
  const name = textAt(job, 'name') ?? 'Unnamed job'
  useEffect(() => {
    document.title = `${name} · Quarry`
    noteRecent(pagePath('job', { id }), name)
  }, [name, id])
  const found = useAnswer<readonly PropertyRecord[]>('/properties', {
    query: JSON.stringify({ 'source.info.jobId': id }),
    projection: JSON.stringify({ fields: { 'data.name': 1, summary: 1, group: 1, exabyteId: 1, source: 1 } }),
    limit: String(MOST_PROPERTIES),
  })
  const properties = shownRecords(found.data ?? [])
  const about = materialsOf(job)
  const results = [...new Set((found.data ?? []).flatMap(({ exabyteId }) => exabyteId ?? []))].filter(
    (one) => !about.includes(one),
  )
  const leftOut = leftOutOf(job)
  const duration = durationWords(job)
  return (
    <>
      <header class="material-head">
        <h1>{name}</h1>
        <span class="identifier">
          <code>{id}</code> <CopyButton label="the identifier" text={id} />
        </span>
      </header>
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
        <TimeFact name="Created" at={textAt(job, 'createdAt')} />
      </dl>
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
      <h2>Files</h2>
      <RecordFiles collection="jobs" id={id} isMine={isMine(job)} />
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
      <h2>Provenance</h2>
      <ProvenancePart collection="jobs" id={id} />
      <h2>JSON</h2>
      <JsonTree label="JSON of this job" value={job} />
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
  const { data } = useAnswer<{ readonly name?: string }>(id === null ? null : `/methods/${encodeURIComponent(id)}`, {
    fields: '{"name":1}',
  })
  if (id === null) return null
  return (
    <Fact name="Method">
      <Link to={pagePath('method', { id })}>{data?.name ?? id}</Link>
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
