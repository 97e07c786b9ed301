import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../../api/client.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'

type Fields = Readonly<Record<string, unknown>>
type View = ComponentType<{ readonly material: Fields }>

/** The crystal of a file that is not stored. */
export function CrystalPreview({ file }: { readonly file: File }) {
  const [material, setMaterial] = useState<Fields | null>(null)
  const [View, setView] = useState<View | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => {
    const end = new AbortController()
    read(file, end.signal).then(setMaterial, (refusal) => end.signal.aborted || setError(refusal))
    import('../../crystal/crystal-of-material.tsx').then(
      ({ CrystalOfMaterial }) => setView(() => CrystalOfMaterial),
      setError,
    )
    return () => end.abort()
  }, [file])
  if (error !== null) return <RefusalBox error={error} />
  return material === null || View === null ? <Skeleton /> : <View material={material} />
}

async function read(file: File, signal: AbortSignal): Promise<Fields> {
  const name = file.name === 'pasted' ? {} : { name: file.name }
  const body = { content: await file.text(), to: 'material', ...name }
  const { data } = await ask<{ material: Fields }>('POST', '/structures/convert', { body, signal })
  return data.material
}
