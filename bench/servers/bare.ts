import { writeFileSync } from 'node:fs'
import { type Contestant, listTarget, openEnvelope } from './contestant.ts'
import { peerFile } from './peers.ts'
import { API } from './quarry.ts'

/**
 * The floor: node:http that answers Quarry's addresses with Quarry's own bytes from ready buffers. `answers` maps targets
 * to bodies as Quarry gave them; `file` is where they are handed over.
 */
export function bareOver(file: string, answers: ReadonlyMap<string, string>): Contestant {
  writeFileSync(file, JSON.stringify({ answers: Object.fromEntries(answers) }))
  return {
    name: 'bare',
    title: 'bare node:http, the same bytes from ready buffers',
    role: 'floor',
    sees: 'visible',
    command: { file: peerFile('bare'), args: [file] },
    read: (id) => ({ target: `${API}/materials/${id}` }),
    list: (workload) => ({ target: listTarget(`${API}/materials`, workload) }),
    open: openEnvelope,
  }
}
