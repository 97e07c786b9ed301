import { defineWarnings } from '../../../kernel/warnings.ts'

/** Oddities of a material that is stored all the same. */
export const MATERIAL_WARNINGS = defineWarnings({
  lengthUnit: { code: 20041, title: 'The lengths of a material are probably in another unit than it says.' },
  angleUnit: { code: 20042, title: 'The angles of a material are probably in another unit than it says.' },
  coordinateUnits: {
    code: 20043,
    title: 'The coordinates of a material are probably Cartesian and said to be fractions, or the reverse.',
  },
  density: { code: 20044, title: 'A material has a density that no solid has.' },
  apart: { code: 20045, title: 'No two atoms of a material are near enough to be bonded.' },
  notWritten: { code: 20046, title: 'A structure file does not have all that the material has, or repeats otherwise.' },
})
