import { describe, expect, test } from 'bun:test'
import type pg from 'pg'
import { newClickToken } from '../src/tracking/clicks/click-ids.ts'
import { writeClicks } from '../src/tracking/clicks/write-clicks.ts'
import { clickRow } from './support/click-row.ts'
import { browserLead, expectRefusal, givenClick, givenProgram } from './support/given.ts'
import { givenPayingProgram } from './support/money.ts'
import { clickEventsOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

/** A concurrent transaction, open until the test ends it. */
const openTransaction = async () => {
  const client = await service.pool.connect()
  await client.query('BEGIN')
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return {
    client,
    pid: rows[0]?.pid,
    commit: async () => {
      await client.query('COMMIT')
      client.release()
    },
  }
}

/** Whether another connection waits for a lock of this transaction. A busy machine may take a while to get there. */
const isWaitedFor = async ({ pid }: { pid: number | undefined }) => {
  const until = performance.now() + 30_000
  do {
    const { rows } = await service.pool.query(
      'SELECT pid FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
      [pid],
    )
    if (rows.length > 0) return true
    await Bun.sleep(10)
  } while (performance.now() < until)
  return false
}

describe('concurrent changes', () => {
  test('a click during the disabling of its link waits for it and is rejected', async () => {
    const { link } = await givenProgram(service)
    const disabling = await openTransaction()
    await disabling.client.query('UPDATE referral_links SET active = false WHERE id = $1', [link.id])
    const clicked = service.call('POST', '/api/v1/track/click', { affiliate_url: link.url })
    expect(await isWaitedFor(disabling)).toBe(true)
    await disabling.commit()
    expectRefusal(await clicked, 410, 'link_disabled')
    expect(await clickEventsOf(service, link.id)).toHaveLength(0)
  })

  test('a click during the suspension of its partner waits for it and is rejected', async () => {
    const { link } = await givenProgram(service)
    const suspending = await openTransaction()
    await suspending.client.query("UPDATE partners SET status = 'suspended' WHERE id = $1", [link.partnerId])
    const clicked = service.call('POST', '/api/v1/track/click', { affiliate_url: link.url })
    expect(await isWaitedFor(suspending)).toBe(true)
    await suspending.commit()
    expectRefusal(await clicked, 410, 'link_disabled')
  })

  test('disabling a link waits for the batch that still saw it active', async () => {
    const { link } = await givenProgram(service)
    const batch = await openTransaction()
    await writeClicks(batch.client as unknown as pg.Pool, [clickRow(link.aff, newClickToken(new Date()))], 0)
    const disabled = service.db.updateTable('referralLinks').set({ active: false }).where('id', '=', link.id).execute()
    expect(await isWaitedFor(batch)).toBe(true)
    await batch.commit()
    await disabled
    expect(await clickEventsOf(service, link.id)).toHaveLength(1)
  })

  test('a sale during the lead of its customer waits for it and is attributed', async () => {
    const program = await givenProgram(service)
    const clickId = await givenClick(service, program.link)
    const lead = await openTransaction()
    await lead.client.query('INSERT INTO customer_keys VALUES ($1, $2, $3)', [program.id, 'user-1', clickId])
    await lead.client.query(
      "UPDATE customers SET customer_key = 'user-1', customer_status = 'lead' WHERE click_id = $1",
      [clickId],
    )
    const sold = program.sale({ customer_key: 'user-1', amount: 100, invoice_id: 'in-1' })
    expect(await isWaitedFor(lead)).toBe(true)
    await lead.commit()
    expect((await sold).body).toMatchObject({ attributed: true })
  })

  test('a sale during the confirmation of its customer waits for it and is not held for review', async () => {
    const program = await givenPayingProgram(
      service,
      { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 0 },
      { leadAuth: 'browser_allowed' },
    )
    const click_id = await givenClick(service, program.link)
    await browserLead(service, { click_id, customer_key: 'user-1' })
    const confirmation = await openTransaction()
    await confirmation.client.query('SELECT FROM customer_keys WHERE program_id = $1 FOR UPDATE', [program.id])
    const sold = program.sale({ customer_key: 'user-1', amount: 1_000, invoice_id: 'in-1' })
    expect(await isWaitedFor(confirmation)).toBe(true)
    await confirmation.client.query(
      "UPDATE leads SET confirmed_at = now(), confirmed_by = 'server' WHERE program_id = $1",
      [program.id],
    )
    await confirmation.commit()
    expect((await sold).body).toMatchObject({ attributed: true })
    expect(await program.commissions()).toMatchObject([{ state: 'payable', reviewReason: null }])
  })
})
