/** What hands do with a picture; lengths are pixels of the page. */
export interface Gestures {
  turn(right: number, down: number): void
  spin(angle: number): void
  move(right: number, down: number): void
  zoom(factor: number): void
  click(x: number, y: number): void
  /** Nothing moves any more. */
  rest(): void
}

/** A pointer that has moved less than this has clicked. */
const STILL = 4
const WHEEL_SPEED = 0.0015
const WHEEL_REST_MS = 160

interface Point {
  readonly x: number
  readonly y: number
}

/** Tells what pointers and the wheel do on an element. */
export function addGestures(element: HTMLElement, told: Gestures, signal: AbortSignal): void {
  const pointers = new Map<number, Point>()
  let start: Point | null = null
  let resting: ReturnType<typeof setTimeout> | undefined

  const on = <K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void) =>
    element.addEventListener(name, act, { signal, passive: false })

  on('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId)
    pointers.set(event.pointerId, pointOf(event))
    start = pointers.size === 1 ? pointOf(event) : null
  })
  on('pointermove', (event) => {
    const last = pointers.get(event.pointerId)
    if (last === undefined) return
    const next = pointOf(event)
    if (start !== null && Math.hypot(next.x - start.x, next.y - start.y) < STILL) return
    start = null
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point)
    pointers.set(event.pointerId, next)
    const [dx, dy] = [next.x - last.x, next.y - last.y]
    if (other !== undefined) pinch(last, next, other)
    else if (event.shiftKey || (event.buttons & 6) !== 0) told.move(dx, dy)
    else told.turn(dx, dy)
  })
  const pinch = (last: Point, next: Point, other: Point): void => {
    const [before, after] = [last, next].map((point) => ({ x: point.x - other.x, y: point.y - other.y })) as [
      Point,
      Point,
    ]
    told.zoom(Math.hypot(after.x, after.y) / Math.max(1, Math.hypot(before.x, before.y)))
    told.spin(Math.atan2(before.y, before.x) - Math.atan2(after.y, after.x))
    told.move((next.x - last.x) / 2, (next.y - last.y) / 2)
  }
  const end = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return
    if (start !== null && event.type === 'pointerup') {
      const { left, top } = element.getBoundingClientRect()
      told.click(event.clientX - left, event.clientY - top)
    }
    start = null
    told.rest()
  }
  on('pointerup', end)
  on('pointercancel', end)
  on('contextmenu', (event) => event.preventDefault())
  on('wheel', (event) => {
    event.preventDefault()
    told.zoom(Math.exp(-event.deltaY * WHEEL_SPEED * (event.deltaMode === 1 ? 16 : 1)))
    clearTimeout(resting)
    resting = setTimeout(() => told.rest(), WHEEL_REST_MS)
  })
}

function pointOf({ clientX, clientY }: PointerEvent): Point {
  return { x: clientX, y: clientY }
}
