import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type MaterialFields, structureOfMaterial } from '../../../src/page/scene/material-structure.ts'
import { CrystalView } from '../../crystal/crystal-view.ts'
import type { Row } from './collections.ts'

/** The crystal of the record that has the focus, to be turned. */
export function PreviewCrystal({ record }: { readonly record: Row }) {
  const place = useRef<HTMLDivElement>(null)
  const view = useMemo(() => new CrystalView(), [])
  useEffect(() => {
    place.current?.append(view)
    return () => view.remove()
  }, [view])
  useEffect(() => {
    view.structure = structureOfMaterial(record as unknown as MaterialFields)
  }, [view, record])
  return <div class="preview-crystal" ref={place} />
}
