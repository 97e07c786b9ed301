import { CrystalOfMaterial } from '../../crystal/crystal-panel.tsx'
import { Formula } from '../../parts/formula.tsx'
import { type Material, numberAt, rounded, textAt } from './material.ts'

/** What came of a step. */
export interface StepReport {
  readonly step: string
  readonly sites: number
  readonly termination?: number
  readonly terminations?: readonly { readonly termination: number; readonly bottom: string; readonly top: string }[]
  readonly layers?: number
  readonly atomicLayers?: number
  readonly thickness?: number
  readonly vacuum?: number
  readonly area?: number
}

/** What was built, as the server answers it. */
export interface Built {
  readonly material: Material
  readonly nSites: number
  readonly formula: string
  readonly steps: readonly StepReport[]
  readonly consistencyChecks: readonly { readonly key: string; readonly message: string }[]
  readonly warnings: readonly { readonly code: string; readonly message: string }[]
}

interface BuildResultProps {
  readonly before: Material
  readonly built: Built
  /** Asks for another termination of the slab that a step has made. */
  readonly onTermination: (step: number, termination: number) => void
}

/** The structure before and after, side by side, with what is told of the steps. */
export function BuildResult({ before, built, onTermination }: BuildResultProps) {
  const { material: after, nSites, formula, steps, consistencyChecks, warnings } = built
  const sites = numberAt(before, 'nSites') ?? 0
  return (
    <>
      {steps.map((report, step) => (
        <SlabFacts key={step} report={report} step={step} onTermination={onTermination} />
      ))}
      {[...warnings, ...consistencyChecks].map(({ message }) => (
        <p key={message} class="refusal warning">
          {message}
        </p>
      ))}
      <div class="before-after">
        <Side title="Before" material={before} formula={textAt(before, 'unitCellFormula') ?? ''} sites={sites} />
        <Side title="After" material={after} formula={formula} sites={nSites} />
      </div>
    </>
  )
}

interface SideProps {
  readonly title: string
  readonly material: Material
  /** Of what is in the cell. */
  readonly formula: string
  readonly sites: number
}

function Side({ title, material, formula, sites }: SideProps) {
  const lengths = ['a', 'b', 'c'].map((name) => rounded(numberAt(material, `lattice.${name}`) ?? 0))
  const angles = ['alpha', 'beta', 'gamma'].map((name) => rounded(numberAt(material, `lattice.${name}`) ?? 0, 3))
  return (
    <div>
      <h3>{title}</h3>
      <dl class="facts">
        <div>
          <dt>In the cell</dt>
          <dd>
            <Formula text={formula} />
          </dd>
        </div>
        <div>
          <dt>Sites</dt>
          <dd>{sites}</dd>
        </div>
        <div>
          <dt>a, b, c</dt>
          <dd>{lengths.join(', ')} Å</dd>
        </div>
        <div>
          <dt>α, β, γ</dt>
          <dd>{angles.map((angle) => `${angle}°`).join(', ')}</dd>
        </div>
      </dl>
      <CrystalOfMaterial material={material} label={`Crystal ${title.toLowerCase()}`} />
    </div>
  )
}

interface SlabFactsProps {
  readonly report: StepReport
  readonly step: number
  readonly onTermination: BuildResultProps['onTermination']
}

function SlabFacts({ report, step, onTermination }: SlabFactsProps) {
  const { terminations = [], termination, thickness = 0, vacuum = 0, area = 0, layers = 1, atomicLayers = 0 } = report
  if (termination === undefined) return null
  return (
    <>
      <p>
        The slab is {rounded(thickness, 3)} Å thick, with {rounded(vacuum, 3)} Å of vacuum, and has {atomicLayers}{' '}
        atomic layers in {layers === 1 ? '1 repeat' : `${layers} repeats`}; one side has {rounded(area, 3)} Å².
      </p>
      {terminations.length > 1 && (
        <fieldset class="choice terminations">
          <legend>Termination</legend>
          {terminations.map((one) => (
            <label key={one.termination}>
              <input
                type="radio"
                name={`termination-${step}`}
                checked={one.termination === termination}
                onChange={() => onTermination(step, one.termination)}
              />
              <span>
                <Formula text={one.bottom} /> below, <Formula text={one.top} /> above
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  )
}
