import { expect, test } from 'bun:test'
import { applyTierRules } from '../../src/tracking/groups/apply-tier-rules.ts'
import { givenService } from '../support/shared-service.ts'
import { givenAdjusted } from './given-adjustments.ts'

const service = await givenService()

const given = async () => {
  const program = await givenAdjusted(service)
  const gold = (await program.owner.call('POST', `${program.api}/groups`, { name: 'Gold' })).body.data
  const groups = (await program.owner.call('GET', `${program.api}/groups`)).body.data as {
    id: number
    isDefault: boolean
  }[]
  const standard = groups.find(({ isDefault }) => isDefault)
  const tierRule = { after: { sales: 2 }, within: 'all', moveTo: gold.id }
  expect((await program.owner.call('PATCH', `${program.api}/groups/${standard?.id}`, { tierRule })).status).toBe(200)
  const movedPartners = async () => {
    await applyTierRules({ db: service.db, clock: service.clock.now })
    const { rows } = await service.pool.query(
      'SELECT partner_id FROM partner_group_changes WHERE program_id = $1 ORDER BY 1',
      [program.id],
    )
    return rows.map(({ partner_id }) => partner_id)
  }
  return { ...program, movedPartners }
}

test('sales that a member moved to another partner count toward that partner’s tier, not the first one’s', async () => {
  const program = await given()
  const sales = [await program.soldByPartner(), await program.soldByPartner()]
  for (const { sale_id } of sales)
    await program.adjust({ type: 'move', saleId: sale_id, partnerId: program.ben.partnerId })
  expect(await program.movedPartners()).toEqual([program.ben.partnerId])
})

test('sales whose commission was voided do not count toward a tier', async () => {
  const program = await given()
  await program.soldByPartner()
  await program.soldByPartner()
  for (const { id } of await program.commissions()) await program.adjust({ type: 'void', commissionId: id })
  expect(await program.movedPartners()).toEqual([])
})
