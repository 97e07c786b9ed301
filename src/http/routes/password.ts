import { changePassword } from '../../accounts/password-change.ts'
import { API_PREFIX } from '../address.ts'
import { sessionOf } from '../exchange/context.ts'
import { dataResponse } from '../exchange/response.ts'
import type { Route } from '../exchange/route.ts'
import { object, TEXT } from '../openapi/schemas.ts'
import { invalidField, readFields } from '../request/body.ts'
import { assertNoParameters } from '../request/parameters.ts'
import type { HttpServices } from '../services.ts'
import { LOGIN_BODY_LIMIT } from './session.ts'
import { ENDED_SCHEMA } from './tokens.ts'

export function changePasswordRoute({ accounts }: HttpServices): Route {
  return {
    method: 'POST',
    path: `${API_PREFIX}/users/me/password`,
    access: 'session',
    bodyLimit: LOGIN_BODY_LIMIT,
    operation: {
      id: 'changePassword',
      tag: 'Users',
      summary: 'Change your password, and end all your other sessions',
      description:
        'The present password has to be shown; who guesses it is slowed down as at a login. The session of this request and API tokens stay.',
      body: {
        schema: object({ currentPassword: TEXT, password: { type: 'string', description: 'The new one.' } }),
        example: { currentPassword: 'correct horse battery staple', password: 'nine copper kettles in a row' },
      },
      success: { status: 200, description: 'The new password holds.', schema: ENDED_SCHEMA },
      failures: [403, 429],
    },
    handler: async (context) => {
      assertNoParameters(context)
      const { currentPassword: current, password } = readFields(context, ['currentPassword', 'password'])
      if (typeof current !== 'string') throw invalidField('currentPassword', 'the password of now')
      if (typeof password !== 'string') throw invalidField('password', 'the new password')
      const ended = await changePassword(accounts, sessionOf(context), { current, password })
      return dataResponse({ message: 'Your password is changed', ended })
    },
  }
}
