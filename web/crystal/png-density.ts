const SIGNATURE_AND_HEADER = 33
const METERS_PER_INCH = 0.0254

/** A PNG that says of how many pixels to the inch it is, so that it is as large on paper as it is meant to be. */
export function withDensity(png: Uint8Array<ArrayBuffer>, pixelsPerInch: number): Uint8Array<ArrayBuffer> {
  const perMeter = Math.round(pixelsPerInch / METERS_PER_INCH)
  const body = new Uint8Array([112, 72, 89, 115, ...bytesOf(perMeter), ...bytesOf(perMeter), 1])
  const chunk = [...bytesOf(body.length - 4), ...body, ...bytesOf(checksum(body))]
  const whole = new Uint8Array(png.length + chunk.length)
  whole.set(png.subarray(0, SIGNATURE_AND_HEADER))
  whole.set(chunk, SIGNATURE_AND_HEADER)
  whole.set(png.subarray(SIGNATURE_AND_HEADER), SIGNATURE_AND_HEADER + chunk.length)
  return whole
}

function bytesOf(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
}

/** The CRC of PNG (ISO 3309). */
function checksum(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
