import type { JsonObject } from '../../kernel/json.ts'
import { schemaOf } from '../plain-kind.ts'

/** Subtypes of each type, and what its methods have in `data`. */
const PSEUDOPOTENTIALS = ['paw', 'us', 'nc', 'nc-fr', 'any']
const ORBITALS = ['pople', 'dunning', 'karlsruhe']
const REGRESSIONS = ['least_squares', 'ridge']

const CUTOFF: JsonObject = {
  properties: {
    value: { title: 'Value', examples: [60] },
    units: { title: 'Unit', examples: ['rydberg', 'electronvolt', 'hartree'] },
  },
}

const EXCHANGE_CORRELATION: JsonObject = {
  title: 'Exchange and correlation',
  properties: {
    approximation: { title: 'Approximation', examples: ['lda', 'gga', 'meta-gga', 'hybrid'] },
    functional: { title: 'Functional', examples: ['pz', 'pw', 'pbe', 'pbesol', 'r2scan', 'hse06'] },
  },
}

const PSEUDO: JsonObject = {
  title: 'Pseudopotentials',
  description: 'one for each element',
  items: {
    title: 'Pseudopotential',
    properties: {
      element: { title: 'Element', examples: ['Si'] },
      type: { title: 'Type', examples: PSEUDOPOTENTIALS },
      exchangeCorrelation: EXCHANGE_CORRELATION,
      filename: { title: 'File name', examples: ['Si_ONCV_PBE-1.0.upf'] },
      source: { title: 'Source', description: 'the library that it comes from', examples: ['sg15', 'gbrv', 'vasp'] },
    },
  },
}

/** Keywords that say how a type is written: they refuse nothing. */
function whereType(type: string, subtypes: readonly string[], data: JsonObject = {}): JsonObject {
  return {
    if: { properties: { type: { const: type } }, required: ['type'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { subtype: { examples: subtypes }, data: { properties: data } } },
  }
}

/**
 * Schema of a client's method. The definition is a published one, of four fields: all that is said beyond it are names and examples, for forms, and
 * whatever it takes is taken.
 */
export const METHOD_SCHEMA: JsonObject = {
  ...schemaOf('method', 'base method', ['type', 'subtype'], {
    type: {
      type: 'string',
      title: 'Type',
      description: 'general type of this method, eg. `pseudopotential`',
      examples: ['pseudopotential', 'localorbital', 'linear', 'kernel_ridge'],
    },
    subtype: {
      type: 'string',
      title: 'Subtype',
      description: 'general subtype of this method, eg. `ultra-soft`',
      examples: [...PSEUDOPOTENTIALS, ...ORBITALS, ...REGRESSIONS],
    },
    precision: {
      type: 'object',
      title: 'Precision',
      description: 'Object showing the actual possible precision based on theory and implementation',
      properties: {
        wavefunctionCutoff: { title: 'Cutoff of wave functions', ...CUTOFF },
        densityCutoff: { title: 'Cutoff of the density', ...CUTOFF },
        kppra: { title: 'k-points times atoms', description: 'in the whole zone', examples: [1000] },
      },
    },
    data: {
      type: 'object',
      title: 'Data',
      description: 'additional data specific to method, eg. array of pseudopotentials',
    },
  }),
  allOf: [
    whereType('pseudopotential', PSEUDOPOTENTIALS, { pseudo: PSEUDO }),
    whereType('localorbital', ORBITALS, {
      basis: { title: 'Basis set', examples: ['3-21G', '6-31G', '6-311G', 'cc-pVDZ', 'def2-SVP'] },
    }),
    whereType('linear', REGRESSIONS),
    whereType('kernel_ridge', REGRESSIONS),
  ],
}
