import { fileURLToPath } from 'node:url'
import { askingOf, type Contestant } from './contestant.ts'

/** The peers, each over the same documents in its memory. None of them has accounts: they see all documents. */
export function peersOver(dataFile: string): readonly Contestant[] {
  const peer = (name: string, title: string): Contestant => ({
    name,
    title,
    role: 'peer',
    sees: 'all',
    command: { file: peerFile(name), args: [dataFile] },
    ...askingOf('/materials'),
  })
  return [peer('express-mingo', 'Express 5 + mingo over an array'), peer('express-nedb', 'Express 5 + NeDB, indexed')]
}

/** The program of a peer, in the folder `peers`. */
export function peerFile(name: string): string {
  return fileURLToPath(new URL(`../peers/${name}.mjs`, import.meta.url))
}
