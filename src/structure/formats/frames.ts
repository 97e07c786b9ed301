import type { ReadOptions, StructureWarning } from './crystal.ts'
import { FORMAT_ERRORS, refusal } from './errors.ts'

/**
 * Which of a file's structures to read: the one asked for, counted from 0, or from the end where the number is negative. Without a
 * number it is the first, and a warning when there are others.
 */
export function chooseFrame(count: number, { frame }: ReadOptions, warnings: StructureWarning[]): number {
  if (frame === undefined) {
    if (count > 1) warnings.push({ code: 'several-structures', message: firstOf(count) })
    return 0
  }
  const index = frame < 0 ? count + frame : frame
  if (Number.isInteger(index) && index >= 0 && index < count) return index
  throw refusal(FORMAT_ERRORS.noStructure, `The file holds ${structures(count)}, so there is no frame ${frame}.`, {
    hint: count === 1 ? 'Leave the frame out.' : `Frames are counted from 0 to ${count - 1}; -1 is the last.`,
  })
}

function firstOf(count: number): string {
  return `The file holds ${structures(count)}; the first, frame 0, is taken. Frame -1 is the last.`
}

function structures(count: number): string {
  return count === 1 ? 'one structure' : `${count} structures`
}
