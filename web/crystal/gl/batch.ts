/** Columns of numbers by the name that the shader has for them, with how many numbers each instance has. */
export type Columns = Readonly<Record<string, readonly [size: number, values: Float32Array]>>

/** One program with what it draws. */
export interface Batch {
  readonly program: WebGLProgram
  draw(): void
  release(): void
}

interface BatchSource {
  readonly vertex: string
  readonly fragment: string
  readonly columns: Columns
  /** A square is drawn for each row of the columns; where this is false, each row is a corner of a triangle. */
  readonly isInstanced: boolean
  readonly count: number
}

const SQUARE = new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1])

export function batchOf(gl: WebGL2RenderingContext, source: BatchSource): Batch {
  const { columns, isInstanced, count } = source
  const program = programOf(gl, source)
  const array = gl.createVertexArray()
  gl.bindVertexArray(array)
  const buffers = Object.entries(columns).map(([name, [size, values]]) =>
    fill(gl, gl.getAttribLocation(program, name), { size, values, divisor: isInstanced ? 1 : 0 }),
  )
  if (isInstanced)
    buffers.push(fill(gl, gl.getAttribLocation(program, 'corner'), { size: 2, values: SQUARE, divisor: 0 }))
  return {
    program,
    draw() {
      gl.bindVertexArray(array)
      if (isInstanced) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count)
      else gl.drawArrays(gl.TRIANGLES, 0, count)
    },
    release() {
      for (const buffer of buffers) gl.deleteBuffer(buffer)
      gl.deleteVertexArray(array)
      gl.deleteProgram(program)
    },
  }
}

function fill(
  gl: WebGL2RenderingContext,
  location: number,
  { size, values, divisor }: { readonly size: number; readonly values: Float32Array; readonly divisor: number },
): WebGLBuffer {
  const buffer = gl.createBuffer()
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer)
  gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW)
  gl.enableVertexAttribArray(location)
  gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0)
  gl.vertexAttribDivisor(location, divisor)
  return buffer
}

function programOf(gl: WebGL2RenderingContext, { vertex, fragment }: BatchSource): WebGLProgram {
  const program = gl.createProgram()
  for (const [type, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)
    if (shader === null) throw new Error('the graphics card is gone')
    gl.shaderSource(shader, text)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
    gl.deleteShader(shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'no program')
  return program
}
