import type { Call } from './call.ts'
import { exactValue, literal, type Notation, PYTHON, TYPESCRIPT } from './literals.ts'
import { clientCall } from './python-client.ts'

export interface Sample {
  readonly language: 'curl' | 'Python' | 'Python client' | 'TypeScript'
  readonly text: string
}

/**
 * The same request in several languages. The texts run as they are where `TOKEN` is in the environment, and `ACCOUNT` if the call names no account.
 */
export function samplesOf(call: Call): readonly Sample[] {
  const client = clientCall(call)
  return [
    { language: 'curl', text: curlSample(call) },
    { language: 'Python', text: pythonSample(call) },
    ...(client === null ? [] : [{ language: 'Python client', text: client } as const]),
    { language: 'TypeScript', text: typescriptSample(call) },
  ]
}

function curlSample({ root, method, path, search = {}, body, accountId, isOpen }: Call): string {
  const parameters = Object.entries(search)
  const isQuestion = method === 'GET' && parameters.length > 0
  const verb = method === 'GET' ? [] : ['-X', method]
  const address = shellWord(isQuestion ? root + path : addressOf(root, path, search))
  const account = accountId === undefined ? '"X-Account-Id: $ACCOUNT"' : shellWord(`X-Account-Id: ${accountId}`)
  return [
    ['curl', ...(isQuestion ? ['-G'] : verb), address].join(' '),
    ...(isOpen === true ? [] : [`-H ${account} -H "X-Auth-Token: $TOKEN"`]),
    ...(isQuestion ? parameters.map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`) : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json' -d ${shellWord(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

function pythonSample({ root, method, path, search = {}, body, accountId, isOpen, answer = 'json' }: Call): string {
  const parameters = Object.entries(search).map(([name, value]) => [name, parameterIn(PYTHON, value, 'json.dumps', 8)])
  const account = accountId === undefined ? 'os.environ["ACCOUNT"]' : PYTHON.string(accountId)
  const needsJson = parameters.some(([, text]) => text?.startsWith('json.'))
  const modules = [...(needsJson ? ['json'] : []), ...(isOpen === true ? [] : ['os'])]
  return lines(
    modules.length === 0 ? null : `import ${modules.join(', ')}`,
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    ${PYTHON.string(root + path)},`,
    isOpen === true ? null : `    headers={"X-Account-Id": ${account}, "X-Auth-Token": os.environ["TOKEN"]},`,
    ...(parameters.length === 0
      ? []
      : ['    params={', ...parameters.map(([name, text]) => `        ${PYTHON.key(name ?? '')}: ${text},`), '    },']),
    body === undefined ? null : `    json=${literal(body, PYTHON, 4)},`,
    ')',
    answer === 'text' ? 'print(answer.text)' : 'body = answer.json()',
    answer === 'text' ? null : 'print(body["data"] if answer.ok else body["message"])',
  )
}

function typescriptSample({ root, method, path, search = {}, body, accountId, isOpen, answer = 'json' }: Call): string {
  const parameters = Object.entries(search)
  const account = accountId === undefined ? "process.env.ACCOUNT ?? ''" : TYPESCRIPT.string(accountId)
  const headers = [
    ...(isOpen === true ? [] : [`'X-Account-Id': ${account}`, "'X-Auth-Token': process.env.TOKEN ?? ''"]),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, TYPESCRIPT, 2)}),`]),
  ]
  const asked = parameters.length === 0 ? TYPESCRIPT.string(root + path) : `\`${root}${path}?\${search}\``
  return lines(
    ...(parameters.length === 0
      ? []
      : [
          'const search = new URLSearchParams({',
          ...parameters.map(
            ([name, value]) => `  ${TYPESCRIPT.key(name)}: ${parameterIn(TYPESCRIPT, value, 'JSON.stringify', 2)},`,
          ),
          '})',
        ]),
    ...(options.length === 0
      ? [`const answer = await fetch(${asked})`]
      : [`const answer = await fetch(${asked}, {`, ...options, '})']),
    answer === 'text' ? 'console.log(await answer.text())' : 'const { data, message } = await answer.json()',
    answer === 'text' ? null : 'console.log(answer.ok ? data : message)',
  )
}

/** A parameter of an address; one that is JSON is a value of the language, which is easier to read and to change than a text. */
function parameterIn(notation: Notation, value: string, stringify: string, indent: number): string {
  const exact = /^\s*[{[]/.test(value) ? exactValue(value) : undefined
  return exact === undefined ? notation.string(value) : `${stringify}(${literal(exact, notation, indent)})`
}

function addressOf(root: string, path: string, search: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams(search)
  return parameters.size === 0 ? root + path : `${root}${path}?${parameters}`
}

/** A word of a shell. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function lines(...all: readonly (string | null)[]): string {
  return all.filter((line) => line !== null).join('\n')
}
