import { type Atoms, describeDirections } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'

/** Makes the error of a step that a structure does not allow; `hint` says what to write instead. */
export function cannotBuild(message: string, hint: string, path: string): Error {
  return refusal(FORMAT_ERRORS.notBuildable, message, { path, hint })
}

/** Refuses a step that is for crystals which repeat along all three lattice vectors. */
export function requirePeriodic({ periodic }: Pick<Atoms, 'periodic'>, what: string, path: string): void {
  if (!periodic.includes(false)) return
  const message = `The structure repeats ${describeDirections(periodic)}, so there is no ${what} of it.`
  throw cannotBuild(message, `Do this step first, on the crystal.`, path)
}

/** Refuses more sites than a material may have, before they are made. */
export function requireRoom(count: number, most: number, hint: string): void {
  if (count <= most) return
  throw refusal(FORMAT_ERRORS.tooManyAtoms, `The structure would have ${count} sites; ${most} is the most.`, { hint })
}
