import type { LeftAside } from './portions.ts'

const MOST_NAMED = 100

/** What is not taken, by the reason. */
export function LeftAsideList({ files }: { readonly files: readonly LeftAside[] }) {
  if (files.length === 0) return null
  const byReason = new Map<string, string[]>()
  for (const { path, why } of files) {
    const reason = typeof why === 'string' ? REASONS[why] : why.says
    byReason.set(reason, [...(byReason.get(reason) ?? []), path])
  }
  return (
    <details class="left-aside">
      <summary>{files.length === 1 ? '1 file is' : `${files.length} files are`} passed over</summary>
      {[...byReason].map(([reason, paths]) => (
        <div key={reason}>
          <p>{reason}</p>
          <ul>
            {paths.slice(0, MOST_NAMED).map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
            {paths.length > MOST_NAMED && <li>and {paths.length - MOST_NAMED} more</li>}
          </ul>
        </div>
      ))}
    </details>
  )
}

const REASONS = {
  hidden: 'Hidden, or made by the system of a computer.',
  unreadable: 'The browser cannot read it: it has changed, is gone, or is not yours to read.',
  licensed: 'Potentials of VASP are not kept, as their licence asks; their titles are kept with the method.',
  large: 'Larger than 100 MB, and left out as you said.',
  useless: 'Belongs to no calculation, and holds no structure.',
  packed: 'Lies in an archive, and belongs to none of the calculations that were read of it.',
  'packed-structure': 'Holds a structure, and belongs to no calculation: take it out of the archive to import it.',
} as const
