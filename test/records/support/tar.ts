/** Packs files as a POSIX tar archive; names that do not fit get a GNU long name. */
export function tarOf(files: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([name, bytes]) => {
    const named = [header(name.slice(0, 99), bytes.length, '0'), padded(bytes)]
    const longName = Buffer.from(`${name}\0`)
    return name.length < 100 ? named : [header('././@LongLink', longName.length, 'L'), padded(longName), ...named]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

function header(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(512)
  block.write(name, 0)
  block.write(`${size.toString(8).padStart(11, '0')} `, 124)
  block.write(type, 156)
  block.write('ustar\0', 257)
  block.fill(' ', 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0`, 148)
  return block
}
