import { describe, expect, test } from 'bun:test'
import { findCustomerByKey, lockCustomerByClick, lockCustomerKeys } from '../src/customers/customers.ts'
import { inTransaction } from '../src/database/transaction.ts'
import { findProgram } from '../src/programs/programs.ts'
import { createLeads } from '../src/tracking/leads/create-leads.ts'
import { buildLeadFacts, toLeadRow } from '../src/tracking/leads/record-lead.ts'
import { givenClick, givenProgram, unique } from './support/given.ts'
import { customerOf } from './support/records.ts'
import { SECRETS } from './support/service.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

describe('setting a customer key', () => {
  const givenVisitor = async () => {
    const program = await givenProgram(service)
    return { programId: program.id, clickId: await givenClick(service, program.link) }
  }
  const settle = (visitor: { programId: number; clickId: string }, customerKey: string) =>
    inTransaction(service.db, async (tx) => {
      const program = await findProgram(tx, visitor.programId)
      const record = await lockCustomerByClick(tx, visitor)
      if (!program || !record) throw new Error('the visitor does not exist')
      const request = { customer_key: customerKey, click_id: visitor.clickId, email: null }
      const now = new Date()
      const call = toLeadRow({ program, event: 'server_lead', request })
      const facts = buildLeadFacts({ ...call, customerKey, record }, now)
      const lead = { now, program, facts, record, customerKey, email: null, isSecondCustomer: false }
      await createLeads(tx, SECRETS.hashKey, [lead])
    })
  const lock = (programId: number, customerKey: string) =>
    inTransaction(service.db, (tx) => lockCustomerKeys(tx, [{ programId, customerKey }]))

  test('requires its lock', async () => {
    const visitor = await givenVisitor()
    const customerKey = unique('customer')
    await expect(settle(visitor, customerKey)).rejects.toThrow('a customer key is already assigned or was not locked')
    expect(await customerOf(service, visitor.clickId)).toMatchObject({ customerStatus: 'click', customerKey: null })

    await lock(visitor.programId, customerKey)
    expect(await findCustomerByKey(service.db, { programId: visitor.programId, customerKey })).toBeUndefined()
    await settle(visitor, customerKey)
    const found = await findCustomerByKey(service.db, { programId: visitor.programId, customerKey })
    expect(found).toMatchObject({ clickId: visitor.clickId, customerKey, customerStatus: 'lead' })
  })

  test('rejects a key that another customer has', async () => {
    const program = await givenProgram(service)
    const [one, other] = [await givenClick(service, program.link), await givenClick(service, program.link)]
    const customerKey = unique('customer')
    await lock(program.id, customerKey)
    await settle({ programId: program.id, clickId: one }, customerKey)
    await expect(settle({ programId: program.id, clickId: other }, customerKey)).rejects.toThrow('already assigned')
    expect(await customerOf(service, other)).toMatchObject({ customerStatus: 'click', customerKey: null })
    expect((await findCustomerByKey(service.db, { programId: program.id, customerKey }))?.clickId).toBe(one)
  })
})
