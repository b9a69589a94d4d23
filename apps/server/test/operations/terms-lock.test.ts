import { describe, expect, test } from 'bun:test'
import { inTransaction } from '../../src/database/transaction.ts'
import { lockTerms } from '../../src/money/rewards/reward-terms.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { untilWaiting } from '../support/until-waiting.ts'

const service = await givenService()
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' } }
const TERMS = { sale: { percentBps: 1_500, duration: 'lifetime' } }
const WAITED_MS = 60_000

/** Makes a call while another transaction holds the terms, and returns its answer with the time at which the terms were free. */
const whileTermsAreLocked = async (programId: number, call: () => ReturnType<typeof service.call>) => {
  const { answer } = await inTransaction(service.db, async (tx) => {
    await lockTerms(tx, programId)
    const waiting = call()
    await untilWaiting(service.pool)
    service.clock.advance(WAITED_MS)
    return { answer: waiting }
  })
  const freedAt = service.clock.now().getTime()
  return { ...(await answer), freedAt }
}

describe('what waits for the reward terms is dated after the wait', () => {
  const dates = (at: string, freedAt: number) => expect(new Date(at).getTime()).toBeGreaterThan(freedAt - WAITED_MS / 2)

  test('a new group', async () => {
    const { id, owner, api } = await givenPayingProgram(service, REWARD)
    const { status, body, freedAt } = await whileTermsAreLocked(id, () =>
      owner.call('POST', `${api}/groups`, { name: 'Gold' }),
    )
    expect(status).toBe(201)
    dates(body.data.createdAt, freedAt)
    const { at } = await service.db
      .selectFrom('auditEntries')
      .select('createdAt as at')
      .where('programId', '=', id)
      .where('action', '=', 'group created')
      .executeTakeFirstOrThrow()
    dates(at.toISOString(), freedAt)
  })

  test('the terms of a group, and their end', async () => {
    const { id, owner, api } = await givenPayingProgram(service, REWARD)
    const group = (await owner.call('POST', `${api}/groups`, { name: 'Gold' })).body.data
    const path = `${api}/groups/${group.id}/reward`
    const set = await whileTermsAreLocked(id, () => owner.call('PUT', path, TERMS))
    expect(set.status).toBe(200)
    dates(set.body.data.validFrom, set.freedAt)
    const ended = await whileTermsAreLocked(id, () => owner.call('DELETE', path))
    expect(ended.status).toBe(200)
    const { at } = await service.db
      .selectFrom('rewardTerms')
      .select('validFrom as at')
      .where('programId', '=', id)
      .orderBy('version', 'desc')
      .executeTakeFirstOrThrow()
    dates(at.toISOString(), ended.freedAt)
  })

  test('the terms of the program', async () => {
    const { id, owner, api } = await givenPayingProgram(service, REWARD)
    const { status, body, freedAt } = await whileTermsAreLocked(id, () => owner.call('PUT', `${api}/reward`, TERMS))
    expect(status).toBe(200)
    dates(body.data.validFrom, freedAt)
  })
})
