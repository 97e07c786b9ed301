import { useEffect, useRef, useState } from 'preact/hooks'
import { ask, Refusal } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { navigate } from '../../app/router.tsx'
import { noteWrite } from '../../app/undo.ts'
import { Field } from '../../parts/field.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { BuildResult, type Built } from './build-result.tsx'
import { BuildStepForm } from './build-step-form.tsx'
import { STEP_FORMS, type StepDraft, type StepKind, stepOf, withStep } from './build-steps.ts'
import type { SectionProps } from './section.ts'
import './build.css'

const KINDS = Object.keys(STEP_FORMS) as StepKind[]
const MOST_STEPS = 20

/** What was built last, and with which steps: these are what is stored. */
interface Outcome {
  readonly built: Built
  readonly steps: readonly object[]
}

/** Builds a structure of the material in steps, shows it beside the material, and stores it with its origin. */
export function BuildSection({ id, material }: SectionProps) {
  const [drafts, setDrafts] = useState<readonly StepDraft[]>([])
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  async function carryOut(run: () => Promise<void>): Promise<void> {
    setBusy(true)
    setError(undefined)
    try {
      await run()
    } catch (refusal) {
      setError(refusal instanceof Refusal ? asCounted(refusal) : refusal)
    }
    setBusy(false)
  }

  const build = (wanted: readonly StepDraft[]) =>
    carryOut(async () => {
      const steps = wanted.map(stepOf)
      const { data } = await ask<Built>('POST', '/structures/build', { body: { material: id, steps } })
      setOutcome({ built: data, steps })
      announce(`Built: ${data.nSites} sites in the cell`)
    })

  const store = ({ steps }: Outcome) =>
    carryOut(async () => {
      const body = { material: id, steps, store: true }
      const { data } = await ask<{ material: { _id: string } }>('POST', '/structures/build', { body })
      noteWrite()
      announce('The material is made.')
      navigate(`/materials/${encodeURIComponent(data.material._id)}`)
    })

  function chooseTermination(step: number, termination: number): void {
    const wanted = drafts.map((draft, at) =>
      at === step ? { ...draft, fields: { ...draft.fields, termination: String(termination) } } : draft,
    )
    setDrafts(wanted)
    void build(wanted)
  }

  return (
    <>
      <h2>Build</h2>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void build(drafts)
        }}
      >
        {drafts.map((draft, place) => (
          <BuildStepForm
            key={draft.key}
            draft={draft}
            place={place}
            onChange={(next) => setDrafts(drafts.map((one) => (one.key === next.key ? next : one)))}
            onRemove={() => {
              setDrafts(drafts.filter((one) => one.key !== draft.key))
              form.current?.querySelector<HTMLElement>('.build-more select')?.focus()
            }}
          />
        ))}
        {drafts.length < MOST_STEPS && <MoreSteps drafts={drafts} onDrafts={setDrafts} />}
        {drafts.length > 0 && (
          <p class="buttons">
            <button type="submit" class="main" disabled={isBusy}>
              Build
            </button>
            {outcome !== null && (
              <button type="button" disabled={isBusy} onClick={() => void store(outcome)}>
                Make a material of what was built
              </button>
            )}
          </p>
        )}
      </form>
      {error !== undefined && <RefusalBox error={error} />}
      {drafts.length > 0 && outcome !== null && (
        <BuildResult before={material} built={outcome.built} onTermination={chooseTermination} />
      )}
    </>
  )
}

interface MoreStepsProps {
  readonly drafts: readonly StepDraft[]
  readonly onDrafts: (drafts: readonly StepDraft[]) => void
}

/** Adds a step of a kind, and goes to its first field. */
function MoreSteps({ drafts, onDrafts }: MoreStepsProps) {
  const [kind, setKind] = useState<StepKind>('supercell')
  const added = useRef<number | null>(null)
  useEffect(() => {
    if (added.current === null) return
    document.querySelector<HTMLElement>(`[data-step="${added.current}"] :is(select, input)`)?.focus()
    added.current = null
  }, [drafts])
  function add(): void {
    const next = withStep(drafts, kind)
    added.current = next.at(-1)?.key ?? null
    onDrafts(next)
  }
  return (
    <div class="row controls build-more">
      <Field label={drafts.length === 0 ? 'What to build' : 'One more step'}>
        <select value={kind} onChange={(event) => setKind(event.currentTarget.value as StepKind)}>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {STEP_FORMS[one].title}
            </option>
          ))}
        </select>
      </Field>
      <button type="button" onClick={add}>
        Add
      </button>
    </div>
  )
}

/** Of a site that is not there, in the numbers that people see: from 1. */
function asCounted(refusal: Refusal): Refusal {
  const { site, sites, path = '' } = refusal.data
  if (typeof site !== 'number' || typeof sites !== 'number') return refusal
  const step = Number(/^steps\[(\d+)\]/.exec(path)?.[1] ?? 0) + 1
  const message = `Step ${step}: There is no site ${site + 1}; the sites are 1 to ${sites}.`
  const { hint: _fromZero, ...data } = refusal.data
  return new Refusal(message, refusal.status, refusal.code, data)
}
