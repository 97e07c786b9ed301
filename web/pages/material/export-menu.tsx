import { useState } from 'preact/hooks'
import { fetchPlain } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Menu } from '../../parts/menu.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { saveBlob } from '../../parts/save-blob.ts'

/** The formats that the server writes, as people call them. */
const FORMATS = [
  ['cif', 'CIF'],
  ['poscar', 'POSCAR (VASP)'],
  ['xyz', 'Extended XYZ'],
  ['espresso', 'Quantum ESPRESSO'],
  ['pymatgen', 'pymatgen JSON'],
  ['ase', 'ASE JSON'],
  ['optimade', 'OPTIMADE JSON'],
  ['material', 'Material JSON'],
] as const

/** The material as a file of any format, saved. */
export function ExportMenu({ id }: { readonly id: string }) {
  const [fault, setFault] = useState<unknown>(null)
  async function save(format: string): Promise<void> {
    try {
      const answer = await fetchPlain('GET', `/materials/${encodeURIComponent(id)}/export`, { search: { format } })
      const blob = await answer.blob()
      saveBlob(blob, nameIn(answer.headers) ?? `${id}.${format}`)
      announce('The file is saved')
      setFault(null)
    } catch (error) {
      setFault(error)
    }
  }
  return (
    <>
      <Menu label="Export">
        {FORMATS.map(([format, title]) => (
          <button key={format} type="button" class="plain" onClick={() => void save(format)}>
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
