import type { Mutant } from './mutant.ts'

const HULL = { tests: ['test/calculations/convex-hull.test.ts'], project: 'core' }
const CORRECTIONS = {
  file: 'src/calculations/hull/mp2020.ts',
  tests: ['test/calculations/mp2020.test.ts'],
  project: 'core',
}
const PROPERTIES = {
  file: 'src/records/diagrams/hull-properties.ts',
  tests: ['test/http/hulls.test.ts'],
  project: 'sqlite',
}
const ENTRY = { file: 'src/calculations/hull/hull-entry.ts', ...HULL }
const FACET = { file: 'src/calculations/hull/facet.ts', ...HULL }
const LOWER = { file: 'src/calculations/hull/lower-hull.ts', ...HULL }
const PERTURBATION = { file: 'src/calculations/hull/perturbation.ts', ...HULL }
const TURNING = { file: 'src/calculations/hull/turning.ts', ...HULL }
const AMOUNTS = { file: 'src/calculations/hull/whole-amounts.ts', ...HULL }
const CONVEX = { file: 'src/calculations/hull/convex-hull.ts', ...HULL }

/** Mistakes in convex hulls, and in what follows from them. */
export const HULL_MUTANTS: readonly Mutant[] = [
  {
    name: 'a pivot below 0 turns the plane over',
    find: '(sign * (pivot * entry',
    replace: '((pivot * entry',
    ...FACET,
  },
  {
    name: 'the column of a corner keeps its sign',
    find: 'return sign < 0n ? left.map((entry) => -entry) : left',
    replace: 'return left',
    ...FACET,
  },
  {
    name: 'fractions are of formula units, not of atoms',
    find: ' * (points.atoms[corner] ?? 0n)',
    replace: '',
    ...FACET,
  },
  {
    name: 'an element with traces of another is a reference',
    find: 'return amounts.every((amount, other) => amount > 0 === (other === axis))',
    replace: 'return (amounts[axis] ?? 0) > 0.999 * amounts.reduce((sum, amount) => sum + amount, 0)',
    ...ENTRY,
  },
  {
    name: 'of two entries of one composition and energy the first one is the corner',
    find: 'isBefore([entry.steps, entry.id], [other.steps, other.id])',
    replace: 'entry.steps < other.steps',
    ...ENTRY,
  },
  {
    name: 'of two references of one energy the first one is it',
    find: 'isBefore([one.energy, one.id], [other.energy, other.id])',
    replace: 'one.energy < other.energy',
    ...ENTRY,
  },
  {
    name: 'as many facets as are asked for are too many',
    find: 'if (facets.length >= most) return null',
    replace: 'if (facets.length + 1 >= most) return null',
    ...LOWER,
  },
  {
    name: 'of two points that a plane comes to at once the later one is taken',
    find: 'if (difference !== 0n) return difference < 0n',
    replace: 'if (difference !== 0n) return difference > 0n',
    ...PERTURBATION,
  },
  {
    name: 'energies are raised in the order in which corners stand',
    find: 'return [...points].sort((one, other) => one - other)',
    replace: 'return [...points]',
    ...PERTURBATION,
  },
  {
    name: 'the first of the points that are close is taken',
    find: 'if (first === null || isBefore(next, first)) first = next',
    replace: 'if (first === null) first = next',
    ...TURNING,
  },
  {
    name: 'Fe4O6 is another composition than Fe2O3',
    find: 'return factor > 1 ? whole.map((count) => count / factor) : whole',
    replace: 'return whole',
    ...AMOUNTS,
  },
  {
    name: 'traces of an element are none',
    find: 'amount === 0 ? 0 : Math.max(1, Math.round((amount / largest / total) * PARTS))',
    replace: 'Math.round((amount / largest / total) * 1024)',
    ...AMOUNTS,
  },
  {
    name: 'what is on the hull but for rounding is above it',
    find: 'if (above <= ON_HULL) return',
    replace: 'if (above < 0) return',
    ...CONVEX,
  },
  {
    name: 'what decomposes into none of a corner names it',
    find: 'byCorner.filter(({ fraction }) => fraction > ON_HULL)',
    replace: 'byCorner',
    ...CONVEX,
  },
  {
    name: 'an element alone is corrected like an anion',
    find: 'if (elements.length === 1) return { corrections: [], total: 0 }',
    replace: '',
    ...CORRECTIONS,
  },
  {
    name: 'an element that is more positive is corrected like an anion',
    find: 'return state < 0 ? ofAnion : 0',
    replace: 'return ofAnion',
    ...CORRECTIONS,
  },
  {
    name: 'a run with another U is corrected',
    find: 'if (wrongU !== undefined) {',
    replace: 'if (wrongU === "") {',
    ...CORRECTIONS,
  },
  {
    name: 'metals are corrected in sulfides too',
    find: "return anion === 'O' || anion === 'F' ? (METALS_WITH_U[element]?.u ?? 0) : 0",
    replace: 'return METALS_WITH_U[element]?.u ?? 0',
    ...CORRECTIONS,
  },
  {
    name: 'what a public material shows follows from private energies',
    find: 'within.filter((entry) => entry.isPublic || !isPublic)',
    replace: 'within.filter((entry) => entry.isPublic || true)',
    ...PROPERTIES,
  },
  {
    name: 'a hull without one of the elements has energies above it',
    find: ' || hull.elements.length < elements.length) return []',
    replace: ') return []',
    ...PROPERTIES,
  },
  {
    name: 'an energy that is no longer there leaves what followed from it',
    find: 'if (!wanted.has(id)) changeOf(materialId).erase.push(id)',
    replace: 'if (id === "") changeOf(materialId).erase.push(id)',
    ...PROPERTIES,
  },
  {
    name: 'what follows is written again where nothing of it changes',
    find: 'if (!isSame(property, there.get(property.id))) changeOf',
    replace: 'if (there !== undefined) changeOf',
    ...PROPERTIES,
  },
]
