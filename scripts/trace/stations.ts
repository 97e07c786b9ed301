/** A part of a request's way. */
export interface Station {
  readonly name: string
  /** The functions with which it begins: room and name. */
  readonly begins: readonly string[]
}

/** The stations of ARCHITECTURE.md that functions begin, and what comes between them. */
export const STATIONS: readonly Station[] = [
  { name: 'route', begins: ['http assertReadable'] },
  { name: 'authenticate', begins: ['http authenticate'] },
  { name: 'body', begins: ['http readBody'] },
  { name: 'handle', begins: ['http carryOutOnce'] },
  {
    name: 'parse',
    begins: ['http readListRequest', 'http readSearchBody', 'http readStructureBody', 'http readFields'],
  },
  { name: 'plan', begins: ['query planQuery'] },
  { name: 'run', begins: ['store find', 'store count', 'store read', 'store apply'] },
  {
    name: 'present',
    begins: ['http nextPageOf', 'http listResponse', 'http searchResponse', 'http recordResponse', 'http dataResponse'],
  },
  { name: 'send', begins: ['http headOf'] },
]

/** What comes before the first of them. */
export const ARRIVAL = 'arrive'
