/** A material that has all that is required, with a lattice constant of choice so that several differ. */
export function material(name: string, fields: object = {}, a = 3.867) {
  return {
    name,
    lattice: { type: 'FCC', a, b: a, c: a, alpha: 60, beta: 60, gamma: 60 },
    basis: {
      units: 'crystal',
      elements: [
        { id: 0, value: 'Si' },
        { id: 1, value: 'Si' },
      ],
      coordinates: [
        { id: 0, value: [0, 0, 0] },
        { id: 1, value: [0.25, 0.25, 0.25] },
      ],
    },
    ...fields,
  }
}

/** A method as the specification shows one. */
export function method(name: string, fields: object = {}) {
  return { name, type: 'pseudopotential', subtype: 'us', data: { pseudo: [] }, ...fields }
}

/** Makes a record of each kind, by collection. */
export const MAKERS: Readonly<Record<string, (name: string, fields?: object) => object>> = {
  materials: material,
  methods: method,
  workflows: (name, fields = {}) => ({ name, subworkflows: [], units: [], ...fields }),
  jobs: (name, fields = {}) => ({ name, workflow: { subworkflows: [] }, ...fields }),
  projects: (name, fields = {}) => ({ name, ...fields }),
  properties: (name, fields = {}) => ({ name, data: { name: 'total_energy', value: -1 }, source: {}, ...fields }),
  queries: (name, fields = {}) => ({ name, kind: 'materials', query: '{"formula":"Si"}', ...fields }),
}
