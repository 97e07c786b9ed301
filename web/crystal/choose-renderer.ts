import type { Renderer } from './drawing.ts'

/** Names of graphics that are computed by the processor. */
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i

let isSoftware: boolean | undefined

/** Tells whether there is no graphics card, or none that may be used. */
function isImitated(): boolean {
  isSoftware ??= lookForCard()
  return isSoftware
}

function lookForCard(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  if (gl === null) return true
  const names = gl.getExtension('WEBGL_debug_renderer_info')
  const name = names === null ? '' : String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL))
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return SOFTWARE.test(name)
}

/** The renderer that is asked for, else that which is the faster one here; the other one is not loaded. */
export async function chooseRenderer(canvas: HTMLCanvasElement, asked: string | null): Promise<Renderer> {
  const wantsCard = asked === null ? !isImitated() : asked === 'gl'
  const byCard = wantsCard ? (await import('./gl/gl-renderer.ts')).glRenderer(canvas) : null
  return byCard ?? (await import('./flat/flat-renderer.ts')).flatRenderer(canvas)
}

/** From now on nothing is drawn by the card: its first frames took long. */
export function forgetCard(): void {
  isSoftware = true
}
