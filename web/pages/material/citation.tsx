import { CopyButton } from '../../parts/copyable.tsx'
import { type Material, textAt } from './material.ts'

/** Where the record says that it comes from, and words to cite it with. */
export function Citation({ material }: { readonly material: Material }) {
  const doi = doiOf(material)
  const source = sourceOf(material)
  if (doi === undefined && source === undefined) return null
  const cited = [textAt(material, 'name') ?? textAt(material, 'formula'), source, doi && `https://doi.org/${doi}`]
    .filter((part) => part !== undefined)
    .join('. ')
  return (
    <section class="citation">
      <h2>Source</h2>
      <p>
        {source}{' '}
        {doi !== undefined && (
          <a href={`https://doi.org/${doi}`} rel="noreferrer">
            doi:{doi}
          </a>
        )}
      </p>
      <CopyButton label="citation" text={cited}>
        Copy citation
      </CopyButton>
    </section>
  )
}

const DOI = /10\.\d{4,9}\/[^\s"<>]+/

function doiOf(material: Material): string | undefined {
  for (const path of ['external.doi', 'metadata.doi', 'source.doi', 'metadata.source', 'external.url', 'description']) {
    const found = DOI.exec(textAt(material, path) ?? '')
    if (found !== null) return found[0].replace(/[.,;]$/, '')
  }
  return undefined
}

function sourceOf(material: Material): string | undefined {
  const external = textAt(material, 'external.source')
  const entry = textAt(material, 'external.id')
  if (external !== undefined) return entry === undefined ? external : `${external}, entry ${entry}`
  return textAt(material, 'metadata.source') ?? textAt(material, 'metadata.reference')
}
