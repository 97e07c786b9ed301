import { expect } from 'vitest'
import { AppError } from '../../../src/kernel/errors.ts'

/** Runs something that must be refused and gives the refusal. */
export async function refusalOf(action: () => unknown): Promise<AppError> {
  try {
    await action()
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    return error as AppError
  }
  throw new Error('nothing was refused')
}
