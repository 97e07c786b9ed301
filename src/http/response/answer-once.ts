import type { AnsweredRecord, TellOnce } from '../../records/work/deps.ts'
import type { RequestContext } from '../exchange/context.ts'
import type { Response } from '../exchange/response.ts'

/**
 * Answers with the record that a use case gives. Where the request is carried out once, the use case is told how its write is kept together with the
 * answer.
 */
export async function answerWith<Value extends AnsweredRecord>(
  { once }: RequestContext,
  present: (value: AnsweredRecord) => Response,
  carryOut: (once: TellOnce | undefined) => Promise<Value>,
): Promise<Response> {
  const value = await carryOut(once === null ? undefined : (answered) => once.tell(present(answered), answered.id))
  const response = present(value)
  await once?.keepUnlessTold(response)
  return response
}
