import { useState } from 'preact/hooks'
import { ask, fetchPlain } from '../../api/client.ts'
import { reading, useAnswer } from '../../api/use-answer.ts'
import { announce } from '../../app/announce.ts'
import { noteWrite, writes } from '../../app/undo.ts'
import { AskFirst } from '../../parts/ask-first.tsx'
import { bytesText } from '../../parts/bytes-text.ts'
import { Empty } from '../../parts/empty.tsx'
import { Instant } from '../../parts/instant.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { saveBlob } from '../../parts/save-blob.ts'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Wide } from '../../parts/wide.tsx'
import './curate.css'

interface FilesProps {
  readonly collection: string
  readonly id: string
  /** Whether files may be put to it and taken from it here. */
  readonly isMine: boolean
}

interface RecordFile {
  readonly name: string
  readonly size: number
  readonly lastModified: string
}

/** The files beside a record: each can be saved, or all as one archive; who owns it adds others. */
export function RecordFiles({ collection, id, isMine }: FilesProps) {
  const path = `/${collection}/${encodeURIComponent(id)}/files`
  const { data, error } = useAnswer<readonly RecordFile[]>(reading(path), writes.value)
  const [fault, setFault] = useState<unknown>(null)

  async function attempt(act: () => Promise<string>): Promise<void> {
    try {
      announce(await act())
      setFault(null)
    } catch (refusal) {
      setFault(refusal)
    }
  }

  const save = (from: string, name: string) =>
    attempt(async () => {
      // Of a text without an ending browsers make one with .txt.
      saveBlob(new Blob([await (await fetchPlain('GET', from)).blob()], { type: 'application/octet-stream' }), name)
      return `${name} is saved`
    })

  const add = (files: readonly File[]) =>
    attempt(async () => {
      for (const file of files) await ask('PUT', fileAt(path, file.name), { body: file })
      noteWrite()
      return files.length === 1 ? `${files[0]?.name} is added` : `${files.length} files are added`
    })

  async function remove(name: string): Promise<void> {
    await ask('DELETE', fileAt(path, name))
    noteWrite()
    announce(`${name} is deleted`)
  }

  return (
    <>
      {error !== undefined && <RefusalBox error={error} />}
      {error === undefined && data === null && <Skeleton lines={3} />}
      {data !== null && data.length === 0 && <Empty>There is no file beside this record.</Empty>}
      {data !== null && data.length > 0 && (
        <>
          <Wide label="Table of files">
            <table class="files">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Size</th>
                  <th scope="col">Added</th>
                  <th scope="col">Actions</th>
                </tr>
              </thead>
              <tbody>
                {data.map(({ name, size, lastModified }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{bytesText(size)}</td>
                    <td>
                      <Instant at={lastModified} />
                    </td>
                    <td class="actions">
                      <button
                        type="button"
                        aria-label={`Save ${name}`}
                        onClick={() => void save(fileAt(path, name), lastOf(name))}
                      >
                        Save
                      </button>
                      {isMine && (
                        <AskFirst
                          label="Delete"
                          name={`Delete ${name}`}
                          question={`Delete ${name}? Earlier versions of the record keep it.`}
                          yes="Delete it"
                          onYes={() => remove(name)}
                        />
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Wide>
          <p>
            <button type="button" onClick={() => void save(`${path}.zip`, `${id}.zip`)}>
              Save all as zip ({bytesText(data.reduce((sum, { size }) => sum + size, 0))})
            </button>
          </p>
        </>
      )}
      {fault !== null && <RefusalBox error={fault} />}
      {isMine && (
        <label class="field">
          Add files
          <input
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              const files = [...(currentTarget.files ?? [])]
              void add(files).then(() => {
                currentTarget.value = ''
              })
            }}
          />
        </label>
      )}
    </>
  )
}

function fileAt(path: string, name: string): string {
  return `${path}/${encodeURIComponent(name)}`
}

/** Browsers save no folders. */
function lastOf(name: string): string {
  return name.split('/').at(-1) ?? name
}
