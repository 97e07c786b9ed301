import { AppError } from '../../../kernel/errors.ts'
import { firstView, fitted } from '../../../page/scene/camera.ts'
import type { Theme } from '../../../page/scene/colors.ts'
import { describe } from '../../../page/scene/describe.ts'
import { drawSvg } from '../../../page/scene/draw-svg.ts'
import { type SceneOptions, sceneOf } from '../../../page/scene/scene.ts'
import type { Structure } from '../../../page/scene/structure.ts'
import { RECORD_ERRORS } from '../../errors.ts'
import { readCrystal, type StructureFile } from './structure-files.ts'

export interface PictureTerms {
  /** Pixels, of both sides. */
  readonly size: number
  readonly theme: Theme
}

/** Up to so many atoms everything is drawn; from there on atoms alone, those of the cell each once. */
const MOST_DRAWN_WHOLE = 400
const MOST_DRAWN = 2_000
const SIMPLE: Partial<SceneOptions> = { bonds: 'none', boundary: false, molecules: false }
const SIMPLE_TOLD = 'Drawn are the atoms of the cell, without bonds.'

/** The crystal of a file as an SVG picture on nothing. */
export function pictureOf(file: StructureFile, { size, theme }: PictureTerms): string {
  const { crystal } = readCrystal(file)
  const { lattice, periodic, sites } = crystal
  if (sites.length > MOST_DRAWN) throw tooManyAtoms(sites.length)
  const structure: Structure = {
    lattice,
    periodic,
    species: sites.map(({ element }) => element),
    fractions: sites.map(({ fraction }) => fraction),
  }
  const isSimple = sites.length > MOST_DRAWN_WHOLE
  const scene = sceneOf(structure, isSimple ? SIMPLE : {})
  const camera = fitted(scene, firstView(lattice), { width: size, height: size })
  const title = isSimple ? `${describe(scene)} ${SIMPLE_TOLD}` : describe(scene)
  return drawSvg(scene, camera, { theme, title })
}

function tooManyAtoms(count: number): AppError {
  const hint = 'The page of the material draws it.'
  const message = `The material has ${count} atoms; the server draws up to ${MOST_DRAWN}. ${hint}`
  return new AppError(RECORD_ERRORS.tooManyToDraw, message, { path: 'basis.elements', hint })
}
