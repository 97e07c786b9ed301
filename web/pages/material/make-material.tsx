import { useState } from 'preact/hooks'
import { ask, Refusal } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { navigate } from '../../app/router.tsx'
import { noteWrite } from '../../app/undo.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import type { Material } from './material.ts'

/** A structure that was worked out of a material, which `madeFrom` names. */
export interface MadeStructure {
  readonly basis: unknown
  readonly lattice: unknown
  readonly madeFrom: unknown
}

interface MakeMaterialProps {
  readonly made: MadeStructure
  /** The one that it was worked out of. */
  readonly of: Material
  /** What it is: `primitive cell`. */
  readonly what: string
}

/** Makes a material of a structure that is shown; it says what it was made from. */
export function MakeMaterial({ made, of, what }: MakeMaterialProps) {
  const [error, setError] = useState<Refusal | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function make(): Promise<void> {
    setBusy(true)
    setError(null)
    const { basis, lattice, madeFrom } = made
    const isNonPeriodic = of['isNonPeriodic'] === true
    const body = { name: `${of.name}, ${what}`, basis, lattice, madeFrom, ...(isNonPeriodic ? { isNonPeriodic } : {}) }
    try {
      const { data } = await ask<{ _id: string }>('POST', '/materials', { body })
      noteWrite()
      announce('The material is made.')
      navigate(`/materials/${encodeURIComponent(data._id)}`)
    } catch (refusal) {
      setBusy(false)
      if (!(refusal instanceof Refusal)) throw refusal
      setError(refusal)
    }
  }

  return (
    <p>
      <button type="button" disabled={isBusy} onClick={() => void make()}>
        Make a material of the {what}
      </button>
      {error !== null && <RefusalBox error={error} />}
    </p>
  )
}
