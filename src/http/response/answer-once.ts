import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnsweredRecord, TellOnce } from '../../records/work/deps.ts'
import { sendWhole, type WholeAnswer } from './send.ts'

/**
 * Answers with what a use case gives. Where the request is carried out once, the use case is told how its write is kept together with the
 * answer.
 */
export async function answerWith<Value extends AnsweredRecord>(
  request: FastifyRequest,
  reply: FastifyReply,
  present: (value: AnsweredRecord) => WholeAnswer,
  carryOut: (once: TellOnce | undefined) => Promise<Value>,
): Promise<FastifyReply> {
  const { once } = request
  const value = await carryOut(once === null ? undefined : (answered) => once.tell(present(answered), answered.id))
  const answer = present(value)
  await once?.keepUnlessTold(answer)
  return sendWhole(reply, answer)
}
