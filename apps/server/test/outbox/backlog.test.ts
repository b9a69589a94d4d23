import { expect, test } from 'bun:test'
import { inTransaction } from '../../src/database/transaction.ts'
import { publish } from '../../src/outbox/events.ts'
import { sequenceAll } from '../../src/outbox/sequence.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()

test('a program whose fan-out fails does not hold up the others', async () => {
  const [first, second] = [await givenPayingProgram(service, null), await givenPayingProgram(service, null)]
  const failing = async (_: unknown, { programId }: { programId: number }) => {
    if (programId === first.id) throw new Error('cannot be fanned out')
  }
  const ping = (programId: number) => ({
    programId,
    type: 'test.ping' as const,
    at: new Date(),
    data: { message: 'x' },
  })
  await inTransaction(service.db, (tx) => publish(tx, [ping(first.id), ping(second.id)]))
  await sequenceAll(service.db, [failing as never]).catch(() => {})
  const { rows } = await service.pool.query(
    `SELECT sequence FROM outbox_events WHERE program_id = $1 AND type = 'test.ping'`,
    [second.id],
  )
  expect(rows[0].sequence).not.toBeNull()
})
