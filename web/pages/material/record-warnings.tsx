import { valueAt } from '../../parts/value-at.ts'
import type { Material } from './material.ts'

interface Finding {
  readonly severity?: string
  readonly message?: string
}

/** What the server finds odd about the material. */
export function RecordWarnings({ material }: { readonly material: Material }) {
  const list = valueAt(material, 'consistencyChecks')
  const findings: readonly Finding[] = Array.isArray(list) ? list : []
  if (findings.length === 0) return null
  return (
    <section class="findings" aria-label="Warnings">
      <h2>{findings.length === 1 ? 'One thing to look at' : `${findings.length} things to look at`}</h2>
      <ul>
        {findings.map(({ severity = 'info', message = '' }, index) => (
          <li key={index} class={severity}>
            {message}
          </li>
        ))}
      </ul>
    </section>
  )
}
