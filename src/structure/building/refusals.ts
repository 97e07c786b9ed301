import { AppError } from '../../kernel/errors.ts'
import { type Atoms, describeDirections } from '../crystal.ts'
import { FORMAT_ERRORS, refusal } from '../errors.ts'

/** Makes the error of a step that a structure does not allow; `hint` says what to write instead. */
export function cannotBuild(message: string, hint: string, path: string): AppError {
  return refusal(FORMAT_ERRORS.notBuildable, message, { path, hint })
}

/** Makes the error of a site that is not there; `site` and `sites`, how many there are, are in its data for who counts otherwise. */
export function noSuchSite(site: number, sites: number, path: string): AppError {
  const hint = `Sites are numbered from 0, here to ${sites - 1}, in the order in which the step is given them.`
  const { spec, message, data } = cannotBuild(`There is no site ${site} among ${sites}.`, hint, path)
  return new AppError(spec, message, { ...data, site, sites })
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
