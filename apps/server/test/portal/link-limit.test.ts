import { expect, test } from 'bun:test'
import { unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'
import { givenPortal, REWARD } from './given-portal.ts'

const service = await givenService()

test('a partner who creates many links at once gets no more than the limit', async () => {
  const program = await givenPayingProgram(service, REWARD)
  await program.owner.call('PATCH', program.api, { partnersCreateLinks: true })
  const partner = await givenPortal(service).givenPartner(program)
  await service.pool.query(
    `INSERT INTO referral_links (aff, program_id, partner_id, created_at)
    SELECT $1 || number, $2, $3, now() FROM generate_series(1, 197) number`,
    [unique('many'), program.id, program.link.partnerId],
  )
  const path = `/api/portal/programs/${program.id}/links`
  const answers = await Promise.all(Array.from({ length: 12 }, () => partner.call('POST', path, {})))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
  expect((await partner.call('GET', path)).body.meta.pagination.total).toBe(200)
})
