import type { Camera } from '../../../src/page/scene/camera.ts'
import { type Drawing, FACE_OPACITY, type Renderer } from '../drawing.ts'
import { type Batch, batchOf, type Columns } from './batch.ts'
import { ballColumns, bondColumns, edgeColumns, faceColumns } from './columns.ts'
import { BALL_FRAGMENT, BALL_VERTEX, FACE_FRAGMENT, FACE_VERTEX, ROD_FRAGMENT, ROD_VERTEX } from './shaders.ts'

const EDGE_ANGSTROM = 0.018
/** Device pixels: a thinner line comes and goes as it is turned. */
const THINNEST = 0.6

/** Draws by the graphics card: each atom is a square in which the card works out a ball, perfectly round at any size. */
export function glRenderer(canvas: HTMLCanvasElement): Renderer | null {
  const gl = canvas.getContext('webgl2', { antialias: true, alpha: false, powerPreference: 'low-power' })
  if (gl === null) return null
  let loaded: Loaded | null = null
  return {
    name: 'gl',
    load(drawing) {
      loaded?.release()
      loaded = load(gl, drawing)
    },
    draw({ camera, ratio }) {
      if (loaded === null || gl.isContextLost()) return
      const [width, height] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)]
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      drawAll(gl, loaded, { ...camera, width, height, scale: camera.scale * ratio })
    },
    release() {
      loaded?.release()
      gl.getExtension('WEBGL_lose_context')?.loseContext()
    },
  }
}

interface Loaded {
  readonly drawing: Drawing
  readonly balls: Batch
  readonly bonds: Batch
  readonly edges: Batch
  readonly faces: Batch
  release(): void
}

function load(gl: WebGL2RenderingContext, drawing: Drawing): Loaded {
  const { scene } = drawing
  const squares = (vertex: string, fragment: string, columns: Columns, count: number) =>
    batchOf(gl, { vertex, fragment, columns, count, isInstanced: true })
  const balls = squares(BALL_VERTEX, BALL_FRAGMENT, ballColumns(drawing), scene.atoms.length)
  const bonds = squares(ROD_VERTEX, ROD_FRAGMENT, bondColumns(drawing), scene.bonds.length)
  const edges = squares(ROD_VERTEX, ROD_FRAGMENT, edgeColumns(drawing), scene.edges.length)
  const columns = faceColumns(drawing)
  const count = (columns.place?.[1].length ?? 0) / 3
  const faces = batchOf(gl, { vertex: FACE_VERTEX, fragment: FACE_FRAGMENT, columns, count, isInstanced: false })
  const all = [balls, bonds, edges, faces]
  return {
    drawing,
    balls,
    bonds,
    edges,
    faces,
    release() {
      for (const batch of all) batch.release()
    },
  }
}

function drawAll(gl: WebGL2RenderingContext, loaded: Loaded, camera: Camera): void {
  const { drawing, balls, bonds, edges, faces } = loaded
  const { scene, ground } = drawing
  gl.viewport(0, 0, camera.width, camera.height)
  gl.clearColor(ground[0] / 255, ground[1] / 255, ground[2] / 255, 1)
  gl.depthMask(true)
  gl.disable(gl.BLEND)
  gl.enable(gl.DEPTH_TEST)
  gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE)
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
  drawBatch(gl, balls, { drawing, camera })
  const thinnest = THINNEST / camera.scale
  drawBatch(gl, bonds, { drawing, camera, size: Math.max(thinnest, scene.bondRadius), isRound: 1 })
  drawBatch(gl, edges, { drawing, camera, size: Math.max(thinnest, EDGE_ANGSTROM), isRound: 0 })
  gl.disable(gl.SAMPLE_ALPHA_TO_COVERAGE)
  gl.enable(gl.BLEND)
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA)
  // Faces show what is behind them, other faces too.
  gl.depthMask(false)
  drawBatch(gl, faces, { drawing, camera })
}

interface Uniforms {
  readonly drawing: Drawing
  readonly camera: Camera
  readonly size?: number
  readonly isRound?: number
}

function drawBatch(
  gl: WebGL2RenderingContext,
  batch: Batch,
  { drawing, camera, size = 0, isRound = 0 }: Uniforms,
): void {
  const { scene, ground } = drawing
  const [x, y, z] = camera.rotation
  const at = (name: string) => gl.getUniformLocation(batch.program, name)
  gl.useProgram(batch.program)
  gl.uniformMatrix3fv(at('rotation'), false, [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
  gl.uniform3f(at('center'), ...camera.center)
  gl.uniform2f(at('view'), camera.width / (2 * camera.scale), camera.height / (2 * camera.scale))
  gl.uniform1f(at('depth'), 2 * scene.radius + 1)
  gl.uniform3f(at('ground'), ground[0] / 255, ground[1] / 255, ground[2] / 255)
  gl.uniform1f(at('radius'), scene.radius)
  gl.uniform1f(at('pixel'), 1 / camera.scale)
  gl.uniform1f(at('size'), size)
  gl.uniform1f(at('isRound'), isRound)
  gl.uniform1f(at('opacity'), FACE_OPACITY)
  batch.draw()
}
