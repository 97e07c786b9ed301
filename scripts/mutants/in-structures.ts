import type { Mutant } from './mutant.ts'

/** Mistakes where structures are read. */
export const STRUCTURE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a site of a CIF that is never occupied is kept',
    file: 'src/structure/formats/cif/atoms.ts',
    find: 'if (occupancy === 0) return',
    replace: 'if (occupancy < 0) return',
    tests: ['test/structure-formats/cif.test.ts'],
  },
  {
    name: 'a POSCAR of several takes the header of the next along',
    file: 'src/structure/formats/poscar.ts',
    find: 'const end = next === undefined ? lines.length : beginOf(next)',
    replace: 'const end = next === undefined ? lines.length : next.start',
    tests: ['test/structure-formats/frames.test.ts'],
  },
  {
    name: 'a model of a PDB lacks the title that stands behind all',
    file: 'src/structure/formats/pdb.ts',
    find: 'SHARED.test(line) || (index < first && !ATOM.test(line))',
    replace: 'index < first && !ATOM.test(line)',
    tests: ['test/structure-formats/frames.test.ts'],
  },
  {
    name: 'an atom before the first model of a PDB comes into each',
    file: 'src/structure/formats/pdb.ts',
    find: 'SHARED.test(line) || (index < first && !ATOM.test(line))',
    replace: 'SHARED.test(line) || index < first',
    tests: ['test/structure-formats/frames.test.ts'],
  },
  {
    name: 'a data block of a CIF forgets that it is of the second version',
    file: 'src/structure/formats/cif/cif.ts',
    find: 'yield one.startsWith(version) ? one : version + one',
    replace: 'yield one',
    tests: ['test/structure-formats/frames.test.ts'],
  },
  {
    name: 'what the structures of a file share is stored with each without bound',
    file: 'src/structure/formats/read-structure.ts',
    find: 'length += frame.length',
    replace: 'length += 0',
    tests: ['test/structure-formats/frames.test.ts'],
  },
  {
    name: 'a member of a set and the structure that is imported by its number are one record',
    file: 'src/records/work/build-record.ts',
    find: '`frame ${part.frame} of the set`',
    replace: '`frame ${part.frame}`',
    tests: ['test/http/frames.test.ts'],
  },
  {
    name: 'the bound of structures holds for each file of a form by itself',
    file: 'src/records/import/frames-of-files.ts',
    find: 'left -= taken.texts.ends.length',
    replace: 'left -= 0',
    tests: ['test/http/frames.test.ts'],
  },
  {
    name: 'a long title takes the number out of the name of a frame',
    file: 'src/records/kinds/material/structure-files.ts',
    find: 'name.slice(0, LONGEST_NAME - number.length)',
    replace: 'name.slice(0, LONGEST_NAME)',
    tests: ['test/http/frames.test.ts'],
  },
]
