/** A part of a request's way. */
export interface Station {
  readonly name: string
  /** The functions with which it begins: room and name. */
  readonly begins: readonly string[]
}

/** The stations of ARCHITECTURE.md and what comes before them. A request may pass one again: what the fast lane gives up begins anew. */
export const STATIONS: readonly Station[] = [
  { name: 'fast lane', begins: ['http take'] },
  { name: 'framework', begins: ['http rewriteUrl'] },
  { name: 'authenticate', begins: ['http identityOf', 'http findCredentials'] },
  {
    name: 'parse',
    begins: ['http readListRequest', 'http readSearchBody', 'http readStructureBody', 'http readFields'],
  },
  { name: 'plan', begins: ['query planQuery'] },
  { name: 'run', begins: ['store find', 'store count', 'store glance', 'store glanceAtPage', 'store apply'] },
  {
    name: 'present',
    begins: [
      'http nextPageOf',
      'http sendPage',
      'http sendData',
      'http sendWhole',
      'http sendJson',
      'http writeAnswer',
    ],
  },
]

/** What comes before the first of them. */
export const ARRIVAL = 'arrive'
