import { useState } from 'preact/hooks'
import { fetchPlain } from '../../api/client.ts'
import { announce } from '../../app/announce.ts'
import { Menu } from '../../parts/menu.tsx'
import { saveBlob } from '../../parts/save-blob.ts'
import { type Asked, sortOf } from './asked.ts'
import type { Collection } from './collections.ts'
import { columnsOf, queryText } from './question.ts'

interface ExportMenuProps {
  readonly collection: Collection
  readonly asked: Asked
}

/** All that is found, as a file: the columns that are shown, or whole records, or structures. */
export function ExportMenu({ collection, asked }: ExportMenuProps) {
  const [words, setWords] = useState('')
  const shown = ['_id', ...columnsOf(collection, asked).map(({ path }) => path)].join(',')
  async function take(name: string, format: Readonly<Record<string, string>>): Promise<void> {
    setWords(`${name} …`)
    const query = queryText(asked)
    const search = { ...(query === '' ? {} : { query }), sort: sortOf(asked), ...format }
    try {
      const response = await fetchPlain('GET', `/${collection.name}/export`, { search })
      saveBlob(await response.blob(), name)
      setWords('')
      announce(`${name} is saved`)
    } catch (error) {
      setWords((error as Error).message)
    }
  }
  return (
    <Menu label="Export">
      <button type="button" onClick={() => void take(`${collection.name}.csv`, { format: 'csv', columns: shown })}>
        Table of these columns (CSV)
      </button>
      <button type="button" onClick={() => void take(`${collection.name}.ndjson`, {})}>
        Whole records (NDJSON)
      </button>
      {collection.hasElements && (
        <button type="button" onClick={() => void take('materials-cif.zip', { format: 'cif' })}>
          Structures (CIF, in a zip)
        </button>
      )}
      <small role="status">{words}</small>
    </Menu>
  )
}
