import type { Mutant } from './mutant.ts'

const ON_SQLITE = { project: 'sqlite' }
const SHOWN = { file: 'src/records/kinds/property/shown-properties.ts', ...ON_SQLITE }
const ORDER_TESTS = { tests: ['test/records/best-property.test.ts'], project: 'core' }
const ORDER = { file: 'src/records/kinds/property/best-property.ts', ...ORDER_TESTS }
const RIVALS = { tests: ['test/records/property-changes.test.ts'], project: 'core' }
const CHANGES = { file: 'src/records/work/property-changes.ts', ...ON_SQLITE }
const DERIVED = { file: 'src/store/port/derived-text.ts', ...ON_SQLITE }
const PROPERTIES = 'test/http/properties.test.ts'
const CONTRACT = { tests: ['test/contract/contract.test.ts'], named: 'derived fields' }

/** Mistakes in which property is the best, and in what materials show of them. */
export const PROPERTY_MUTANTS: readonly Mutant[] = [
  {
    name: 'a preferred property is no better than others',
    find: 'Number(other.isPreferred) - Number(one.isPreferred) ||\n    ',
    replace: '',
    ...ORDER,
  },
  {
    name: 'a property that refines another is no better than that',
    find: 'Number(other.isRefined) - Number(one.isRefined) ||\n    ',
    replace: '',
    ...ORDER,
  },
  {
    name: 'a higher cutoff is no better',
    find: 'other.cutoff - one.cutoff ||\n    ',
    replace: '',
    ...ORDER,
  },
  {
    name: 'of two that are as exact the older one is the best',
    find: 'compareTexts(other.createdAt, one.createdAt)',
    replace: 'compareTexts(one.createdAt, other.createdAt)',
    ...ORDER,
  },
  {
    name: 'the energy above the hull that the server computes is better than one that is given',
    find: "ownField(source, 'type') === HULL_SOURCE ? hullTime(info) : ",
    replace: '',
    ...ORDER,
  },
  {
    name: 'a material shows the energy above the hull of any of its groups',
    find: "ownField(info, 'isOfBestEnergy') === true ? '0' : ''",
    replace: "''",
    ...ORDER,
  },
  {
    name: 'a material shows any number of groups',
    find: '.slice(0, MOST_GROUPS)',
    replace: '',
    tests: [PROPERTIES],
    ...SHOWN,
  },
  {
    name: 'a material shows a name that no path leads to',
    find: " && !name.includes('.')",
    replace: '',
    tests: [PROPERTIES],
    ...SHOWN,
  },
  {
    name: 'of two names that are shown as one the worse has the group',
    find: 'groups.toReversed().map',
    replace: 'groups.map',
    ...SHOWN,
    ...ORDER_TESTS,
  },
  {
    name: 'each that comes and is the best of its group is the first of its name',
    find: 'best[0] === come',
    replace: 'true',
    ...CHANGES,
    ...RIVALS,
  },
  {
    name: 'one that comes is compared with one of another name that is shown in its place',
    find: 'name === property.name && group === property.group && ',
    replace: '',
    file: 'src/records/work/shown-rivals.ts',
    ...RIVALS,
  },
  {
    name: 'a group may be called like a field of what is shown',
    file: 'src/records/kinds/property/property-kind.ts',
    find: "SHOWN_OF_ALL.includes(String(ownField(document, 'group')))",
    replace: 'SHOWN_OF_ALL.length === 0',
    tests: [PROPERTIES],
    ...ON_SQLITE,
  },
  {
    name: 'a public material shows private properties',
    find: '.filter((one) => one.isPublic === isPublic && one.materials.includes(subject.id))',
    replace: '.filter((one) => one.materials.includes(subject.id))',
    tests: [PROPERTIES],
    ...CHANGES,
  },
  {
    name: 'what a material shows of other names goes when a property comes',
    find: '.filter(([name]) => !names.has(name)))',
    replace: '.filter(() => false))',
    tests: [PROPERTIES],
    ...CHANGES,
  },
  {
    name: 'a property is compared with those of all of its materials',
    find: 'property.materials[0] === id)',
    replace: 'property.materials.includes(id))',
    tests: [PROPERTIES],
    ...CHANGES,
  },
  {
    name: 'a material shows what other accounts say of it',
    find: "all(equals('exabyteId', id), equals('owner._id', accountId), ...ofNames)",
    replace: "all(equals('exabyteId', id), ...ofNames)",
    tests: [PROPERTIES],
    ...CHANGES,
  },
  {
    name: 'a material that comes back shows the properties that it had',
    find: "change.action === 'restore' || ",
    replace: '',
    tests: [PROPERTIES],
    ...CHANGES,
  },
  {
    name: 'a material that becomes public shows what it has shown',
    find: "(change.action === 'replace' && isBanked(before) !== isBanked(after))",
    replace: 'isBanked(before) === null',
    tests: [PROPERTIES],
    ...CHANGES,
  },
  {
    name: 'of many properties of a material the first ones are compared',
    find: 'if (next === null) return properties',
    replace: 'if (next !== undefined) return properties',
    tests: [PROPERTIES],
    ...CHANGES,
  },
  {
    name: 'a tab in a record is taken for the beginning of its derived fields',
    find: 'stored.lastIndexOf(MARK, stored.length - 3)',
    replace: 'stored.indexOf(MARK)',
    ...CONTRACT,
    ...DERIVED,
  },
  {
    name: 'bytes of a record end at its first tab',
    find: 'stored.lastIndexOf(TAB, length - 3)',
    replace: 'stored.indexOf(TAB)',
    ...CONTRACT,
    ...DERIVED,
  },
  {
    name: 'a list gives the derived fields with each record',
    find: 'return [stored.subarray(0, stored.lastIndexOf(TAB, length - 3)), END]',
    replace: 'return null',
    ...CONTRACT,
    ...DERIVED,
  },
  {
    name: 'a record that is read has its derived fields among its own',
    find: 'return hasDerived(stored) ? `${stored.slice(0, beginningIn(stored))}}` : stored',
    replace: 'return stored',
    ...CONTRACT,
    ...DERIVED,
  },
]
