import { FORMAT_ERRORS, refusal } from '../../../../structure/errors.ts'
import { requireFewAtoms } from '../../../../structure/formats/common/text.ts'
import type { Matrix3, Vector3 } from '../../../../structure/linear-algebra.ts'
import type { OutputLimits } from '../../../calculation.ts'
import type { Movable, Positions } from '../structure.ts'
import type { UnusedElements } from './unused-elements.ts'
import { type ElementReader, IGNORED, type Tag, textOf } from './xml-elements.ts'
import { matrixOf, numbersOf, vectorOf } from './xml-values.ts'

/** Place to which a reader gives what it does not use. */
export interface Unused {
  readonly elements: UnusedElements
  readonly path: readonly string[]
}

/** Reader of an element that is not used at a place. */
export function unusedAt({ elements, path }: Unused): (tag: Tag) => ElementReader {
  return (tag) => elements.reader(tag, path)
}

/** Reader of rows of numbers (`varray` of `v`), three each; null for a row of other. */
export function vectorsOf(
  take: (rows: readonly (Vector3 | null)[]) => void,
  most: number,
  unused: (tag: Tag) => ElementReader,
): ElementReader {
  const rows: (Vector3 | null)[] = []
  return {
    within: (tag) => {
      if (tag.name !== 'v' || rows.length >= most) return unused(tag)
      return textOf((text) => rows.push(vectorOf(numbersOf(text))), unused)
    },
    end: () => take(rows),
  }
}

/** Reader of a structure; the element is of no use where a number is none. */
export function structureOf(take: (structure: Positions) => void, limits: OutputLimits, unused: Unused): ElementReader {
  const other = unusedAt(unused)
  let vectors: Matrix3 | null = null
  let fractions: readonly (Vector3 | null)[] = []
  let movable: readonly Movable[] | undefined
  const crystal: ElementReader = {
    within: (tag) => {
      const { name } = tag.attributes
      if (name === 'basis') return vectorsOf((rows) => (vectors = matrixOf(rows)), 3, other)
      // Both follow from the basis.
      return name === 'volume' || name === 'rec_basis' ? IGNORED : other(tag)
    },
    end: () => {},
  }
  return {
    within: (tag) => {
      const { name } = tag.attributes
      if (tag.name === 'crystal') return crystal
      if (name === 'positions') {
        const most = limits.atoms + 1
        return vectorsOf((rows) => (fractions = rows), most, other)
      }
      if (name === 'selective') return flagsOf((rows) => (movable = rows), limits.atoms, other)
      return other(tag)
    },
    end: () => {
      requireFewAtoms(fractions.length, { limits: { atoms: limits.atoms, textLength: Infinity } })
      const places = fractions.filter((place) => place !== null)
      if (vectors === null || places.length !== fractions.length)
        throw refusal(FORMAT_ERRORS.malformed, 'A structure has lattice vectors or positions that are no numbers.')
      take({ vectors, fractions: places, ...(movable === undefined ? {} : { movable }) })
    },
  }
}

function flagsOf(
  take: (rows: readonly Movable[]) => void,
  most: number,
  unused: (tag: Tag) => ElementReader,
): ElementReader {
  const rows: Movable[] = []
  return {
    within: (tag) => {
      if (tag.name !== 'v' || rows.length >= most) return unused(tag)
      return textOf((text) => {
        const [a, b, c] = text.trim().split(/\s+/)
        rows.push([isTrue(a), isTrue(b), isTrue(c)])
      }, unused)
    },
    end: () => take(rows),
  }
}

function isTrue(word: string | undefined): boolean {
  return /^\.?t/i.test(word ?? '')
}
