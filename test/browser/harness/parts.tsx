// Parts that several pages use, on a page of their own, so that they are tested whatever pages use them for.
import '../../../web/theme/tokens.css'
import '../../../web/theme/base.css'
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { JsonEditor, QueryEditor } from '../../../web/editor/json-editor.tsx'
import { type Problem, problemsIn } from '../../../web/editor/problems.ts'
import { JsonTree } from '../../../web/parts/json-tree.tsx'

const ATOMS = 2000

const RECORD = {
  name: 'Strontium titanate',
  public: true,
  external: null,
  lattice: { a: 3.9051, type: 'CUB' },
  tags: [],
  basis: {
    elements: Array.from({ length: ATOMS }, (_, id) => ({ id, value: 'Sr' })),
    coordinates: Array.from({ length: ATOMS }, (_, id) => ({ id, value: [id / ATOMS, 0.25, 0.5] })),
  },
}

const FIELDS = [
  { path: 'formula', types: ['string'], values: ['Si', 'SiO2'] },
  { path: 'lattice.a', types: ['number'], title: 'Lattice constant a', unit: 'Å' },
  { path: 'lattice.type', types: ['string'] },
]

const REFUSED = { message: 'Unknown query operator "$gtt"', data: { path: 'query.lattice.a.$gtt' } }
const WARNED = { code: 20001, path: 'query.formla', message: 'None of the materials has "formla"' }

function Parts() {
  const [query, setQuery] = useState("{formla: 'Si', 'lattice.a': {$gtt: 4}}")
  const [record, setRecord] = useState(JSON.stringify(RECORD.lattice, null, 2))
  const [problems, setProblems] = useState<readonly Problem[]>([])
  return (
    <main>
      <h1>Parts</h1>
      <QueryEditor
        label="Query"
        value={query}
        onChange={setQuery}
        fields={FIELDS}
        problems={problems}
        onSubmit={() => setProblems(problemsIn(query, 'query', { refusal: REFUSED, warnings: [WARNED] }))}
      />
      <output>{query}</output>
      <button type="button" onClick={() => setQuery('{}')}>
        Clear
      </button>
      <JsonEditor label="Lattice" value={record} onChange={setRecord} fields={FIELDS} />
      <JsonTree label="The record" value={RECORD} />
    </main>
  )
}

// As `web/app/theme.ts` does for the page.
const { matches: isDark } = matchMedia('(prefers-color-scheme: dark)')
document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
render(<Parts />, document.getElementById('page') as HTMLElement)
