import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import { queryOfPieces, readLine } from '../../../web/query/search-line/read-line.ts'
import { MATERIAL_VOCABULARY } from '../../../web/query/search-line/vocabulary.ts'
import { writeLine } from '../../../web/query/search-line/write-line.ts'

it('prints', () => {
  for (const text of readFileSync('/tmp/h26lines.txt', 'utf8')
    .split('\n')
    .filter((l) => l !== '')) {
    const r = readLine(text, MATERIAL_VOCABULARY)
    if ('fault' in r) {
      console.log(`${text}  =>  FAULT ${JSON.stringify(r.fault)}`)
      continue
    }
    const c = r.pieces.map(
      (p) =>
        (p.condition.kind === 'word'
          ? `~${p.condition.text}${p.condition.isWhole ? '!' : ''}${p.condition.or ? JSON.stringify(p.condition.or) : ''}${p.condition.fields.length < 6 ? p.condition.fields.join('|') : ''}`
          : JSON.stringify(p.condition)) + (p.otherwise.length ? `  (or ${p.otherwise.join(' / ')})` : ''),
    )
    console.log(`${text}  =>  ${c.join('  ;  ')}`)
    const back = readLine(writeLine(r.pieces), MATERIAL_VOCABULARY)
    const q = JSON.stringify(queryOfPieces(r.pieces))
    if ('fault' in back || JSON.stringify(queryOfPieces(back.pieces)) !== q)
      console.log(
        '   !!!! back',
        writeLine(r.pieces),
        'fault' in back ? back.fault : JSON.stringify(queryOfPieces(back.pieces)),
      )
  }
})
