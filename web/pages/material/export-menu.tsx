import { useState } from 'preact/hooks'
import { fetchPlain } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Menu } from '../../parts/menu.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { saveBlob } from '../../parts/save-blob.ts'

/** The formats that the server writes, as people call them. */
const FORMATS = [
  ['CIF', { format: 'cif' }],
  ['CIF, all atoms in P 1', { format: 'cif', symmetry: 'none' }],
  ['POSCAR (VASP)', { format: 'poscar' }],
  ['Extended XYZ', { format: 'xyz' }],
  ['Quantum ESPRESSO', { format: 'espresso' }],
  ['pymatgen JSON', { format: 'pymatgen' }],
  ['ASE JSON', { format: 'ase' }],
  ['OPTIMADE JSON', { format: 'optimade' }],
  ['Material JSON', { format: 'material' }],
] as const

/** The material as a file of any format, saved. */
export function ExportMenu({ id }: { readonly id: string }) {
  const [fault, setFault] = useState<unknown>(null)
  async function save(search: { readonly format: string; readonly symmetry?: string }): Promise<void> {
    try {
      const answer = await fetchPlain('GET', `/materials/${encodeURIComponent(id)}/export`, { search })
      const blob = await answer.blob()
      saveBlob(blob, nameIn(answer.headers) ?? `${id}.${search.format}`)
      announce('The file is saved')
      setFault(null)
    } catch (error) {
      setFault(error)
    }
  }
  return (
    <>
      <Menu label="Export">
        {FORMATS.map(([title, search]) => (
          <button key={title} type="button" class="plain" onClick={() => void save(search)}>
            {title}
          </button>
        ))}
      </Menu>
      {fault !== null && <RefusalBox error={fault} />}
    </>
  )
}

function nameIn(headers: Headers): string | undefined {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1]
}
