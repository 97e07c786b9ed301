import { useMemo } from 'preact/hooks'
import { type MaterialFields, structureOfMaterial } from '../../src/page/scene/material-structure.ts'
import { CrystalPanel, type CrystalPanelProps } from './crystal-panel.tsx'

interface CrystalOfMaterialProps extends Pick<CrystalPanelProps, 'cell' | 'onCell' | 'label'> {
  /** A material as the server answers it. */
  readonly material: Readonly<Record<string, unknown>>
}

/** The crystal of a material. */
export function CrystalOfMaterial({ material, cell, onCell, label }: CrystalOfMaterialProps) {
  const structure = useMemo(() => structureOfMaterial(material as unknown as MaterialFields), [material])
  const name = String(material['slug'] ?? material['formula'] ?? 'crystal').replace(/[^\w-]+/g, '-')
  return <CrystalPanel structure={structure} name={name} cell={cell} onCell={onCell} label={label} />
}
