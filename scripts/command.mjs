// Runs the commands that the other scripts are made of. Plain JavaScript without packages: it works before `npm ci`.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the clone. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a program to its end; it does not outlive this process. With `capture` its output is collected, otherwise it goes to stderr, so that stdout belongs
 * to the script's own result.
 * @param {string} program
 * @param {readonly string[]} parameters
 * @param {{ capture?: boolean, stdio?: import('node:child_process').StdioOptions, cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ ok: boolean, code: number | null, output: string }>}
 */
export function runProgram(program, parameters, options = {}) {
  const { capture = false, stdio = ['ignore', 2, 2], cwd = ROOT, env = process.env } = options
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { cwd, env, stdio: capture ? ['ignore', 'pipe', 'pipe'] : stdio })
    const stop = () => child.kill()
    process.on('exit', stop)
    const chunks = []
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ ok: false, code: null, output: error.message }))
    child.on('close', (code) => {
      process.off('exit', stop)
      resolve({ ok: code === 0, code, output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/** Runs a JavaScript file with the Node.js that runs this script. */
export function runNode(parameters, options) {
  return runProgram(process.execPath, parameters, options)
}

/** Runs npm: the one that runs this script, else the one on the PATH. */
export function runNpm(parameters, options) {
  const own = process.env.npm_execpath
  if (own?.endsWith('npm-cli.js') && existsSync(own)) return runNode([own, ...parameters], options)
  return runProgram(process.platform === 'win32' ? 'npm.cmd' : 'npm', parameters, options)
}

/** Tells a person what is going on, away from the results on stdout. */
export function say(line) {
  process.stderr.write(`${line}\n`)
}

/** Writes a duration for people: `0.4 s`, `2 min 5 s`. */
export function seconds(milliseconds) {
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`
  const whole = Math.round(milliseconds / 1000)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}
