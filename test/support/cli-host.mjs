// Runs commands of `quarry` one after the other, each as if this process were its own: it begins with an environment, a directory and an input, and its output and its exit
// code are what it leaves. What takes a process of its own most of a second, reading the program, is done once. `runCli` says when.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { Readable, Writable } from 'node:stream'

const [, , main] = process.argv
/** What the command that runs now has said, by descriptor. */
let said = { 1: [], 2: [] }
let runs = 0

function give(name, value) {
  Object.defineProperty(process, name, { value, configurable: true })
}

/** A stream of the command's own: who listens to it goes with it. */
function outputTo(descriptor) {
  const write = (chunk, _encoding, done) => {
    said[descriptor].push(Buffer.from(chunk))
    done()
  }
  return new Writable({ write })
}

// The log writes to its descriptor.
const { writeSync } = fs
fs.writeSync = (descriptor, data, ...rest) => {
  if (descriptor !== 1 && descriptor !== 2) return writeSync(descriptor, data, ...rest)
  said[descriptor].push(Buffer.from(data))
  return Buffer.byteLength(data)
}
// An import lowers the priority of its process, which the next command would have, too.
os.setPriority = () => {}
syncBuiltinESMExports()

process.on('disconnect', () => process.exit())
process.on('message', async ({ parameters, input, environment, directory }) => {
  said = { 1: [], 2: [] }
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  process.chdir(directory)
  process.argv = [process.argv[0], main, ...parameters]
  process.exitCode = undefined
  give('stdin', Readable.from([Buffer.from(input)]))
  give('stdout', outputTo(1))
  give('stderr', outputTo(2))
  // The part behind the name makes it another module; those that it imports are the same.
  await import(`${main}?${++runs}`)
  const [stdout, stderr] = [Buffer.concat(said[1]).toString(), Buffer.concat(said[2]).toString()]
  process.send({ exitCode: process.exitCode ?? 0, stdout, stderr })
})
