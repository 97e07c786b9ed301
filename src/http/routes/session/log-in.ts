import type { FastifyRequest } from 'fastify'
import { logIn } from '../../../accounts/sessions.ts'
import { AppError } from '../../../kernel/errors.ts'
import { bodyText } from '../../../records/read-body.ts'
import { API_PREFIX } from '../../address.ts'
import { HTTP_ERRORS } from '../../errors.ts'
import { ID, object, SECRET, TEXT } from '../../openapi/schemas.ts'
import { FORM_TYPE } from '../../plugins/body-parsers.ts'
import { bodyBytes, invalidField, pickFields, readFields } from '../../request/body.ts'
import { readParameters } from '../../request/parameters.ts'
import { sendJson } from '../../response/send.ts'
import type { Route } from '../../route.ts'
import type { HttpServices } from '../../services.ts'

/** What a login is called in bodies that clients send. */
const LOGIN_FIELDS = ['username', 'user', 'email'] as const

/** A name and a password fit many times over; a guest gets no more. */
const BODY_LIMIT = 16 * 1024

export function logInRoute({ accounts }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/login`,
    access: 'guest',
    bodyLimit: BODY_LIMIT,
    operation: {
      id: 'logIn',
      tag: 'Session',
      summary: 'Exchange a name and a password for a credential',
      description: 'The pair is in `data` and, for clients that read the first level, beside it.',
      body: {
        schema: object({ username: { type: 'string', description: 'User name or e-mail address.' }, password: TEXT }),
        example: { username: 'ada', password: 'correct horse battery staple' },
        isForm: true,
      },
      success: {
        status: 200,
        description: 'The credential; it works until logout, or until it was not used for some time.',
        schema: object({ 'X-Account-Id': ID, 'X-Auth-Token': SECRET }),
      },
      failures: [401, 429],
    },
    handler: async (request, reply) => {
      const { accountId, token } = await logIn(accounts, {
        ...readLogin(request),
        address: request.ip,
        request: request.id,
      })
      const pair = { 'X-Account-Id': accountId, 'X-Auth-Token': token }
      const body = { status: 'success', data: pair, ...pair }
      return sendJson(reply, 200, JSON.stringify(body), { 'cache-control': 'no-store' })
    },
  }
}

function readLogin(request: FastifyRequest): { login: string; password: string } {
  const fields = isForm(request) ? readForm(request) : readFields(request, [...LOGIN_FIELDS, 'password'])
  const given = LOGIN_FIELDS.filter((name) => fields[name] !== undefined)
  if (given.length > 1) {
    throw new AppError(
      HTTP_ERRORS.invalidBodyField,
      `The fields ${given.join(' and ')} mean the same; send one of them.`,
      {
        path: given[1] ?? '',
      },
    )
  }
  const login = fields[given[0] ?? 'username']
  const { password } = fields
  if (typeof login !== 'string' || login === '') throw invalidField('username', 'a user name or e-mail address')
  if (typeof password !== 'string' || password === '') throw invalidField('password', 'a text')
  return { login, password }
}

function isForm(request: FastifyRequest): boolean {
  return (request.headers['content-type'] ?? '').toLowerCase().startsWith(FORM_TYPE)
}

function readForm(request: FastifyRequest) {
  const text = bodyText(bodyBytes(request))
  return pickFields(Object.fromEntries(readParameters(text)), [...LOGIN_FIELDS, 'password'])
}
