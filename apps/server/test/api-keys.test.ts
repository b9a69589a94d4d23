import { describe, expect, test } from 'bun:test'
import { expectRefusal, givenClick, givenProgram, givenUser, givenWorkspace } from './support/given.ts'
import { everythingOf, leadsOf } from './support/records.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()

describe('keyed calls', () => {
  const sale = { customer_key: 'u', amount: 100, invoice_id: 'in-1' }

  test('a sale without a key: 401 missing_api_key', async () => {
    const before = await everythingOf(service)
    expectRefusal(await service.call('POST', '/api/v1/track/sale', sale), 401, 'missing_api_key')
    expect(await everythingOf(service)).toEqual(before)
  })

  test('a bad key: 401 invalid_api_key, never handled as a browser call', async () => {
    const program = await givenProgram(service)
    const click_id = await givenClick(service, program.link)
    const wrong = program.key.slice(0, -1) + (program.key.endsWith('a') ? 'b' : 'a')
    const headers = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer nonsense',
      `Bearer ${wrong}`,
      `Basic ${program.key}`,
      program.key,
      `Bearer ${program.key} x`,
    ]
    for (const authorization of headers) {
      expectRefusal(await service.call('POST', '/api/v1/track/sale', sale, { authorization }), 401, 'invalid_api_key')
      expectRefusal(
        await service.call('POST', '/api/v1/track/lead', { click_id }, { authorization }),
        401,
        'invalid_api_key',
      )
    }
    expect(await leadsOf(service, program.id)).toHaveLength(0)
  })

  test('a good key without Bearer gets a message about the header format, a bad key one about the key', async () => {
    const { key } = await givenProgram(service)
    const messageFor = async (authorization: string) =>
      (await service.call('POST', '/api/v1/track/sale', sale, { authorization })).body.error.message
    for (const authorization of [key, `Basic ${key}`, `Bearer ${key} x`, 'Bearer', ''])
      expect(await messageFor(authorization)).toContain('"Authorization: Bearer trk_…"')
    expect(await messageFor('Bearer trk_nonsense')).toContain('invalid or revoked')
  })

  test('a program_id that is not the key’s: 403 program_mismatch', async () => {
    const [program, other] = [await givenProgram(service), await givenProgram(service)]
    const before = await everythingOf(service)
    for (const named of [
      { program_id: other.id },
      { program_id: String(other.id) },
      { program_id: 0 },
      { program_id: -1 },
      { program_id: 99_999_999_999 },
      { additional_data: { program_id: other.id } },
    ]) {
      expectRefusal(await program.sale({ ...sale, ...named }), 403, 'program_mismatch')
      expectRefusal(await program.lead({ customer_key: 'u', ...named }), 403, 'program_mismatch')
    }
    expectRefusal(
      await program.sale({ additional_data: { test_mode: true, program_id: other.id } }),
      403,
      'program_mismatch',
    )
    expect(await everythingOf(service)).toEqual(before)
    expect((await program.sale({ ...sale, program_id: String(program.id) })).status).toBe(200)
  })
})

test('a changed program setting applies to the very next call with its key', async () => {
  const program = await givenProgram(service)
  await program.sale({ customer_key: 'u', amount: 1, invoice_id: 'before' })
  await service.db.updateTable('programs').set({ currency: 'EUR' }).where('id', '=', program.id).execute()
  await program.sale({ customer_key: 'u', amount: 1, invoice_id: 'after' })
  const sales = await service.db
    .selectFrom('sales')
    .select('currency')
    .where('programId', '=', program.id)
    .orderBy('id')
    .execute()
  expect(sales).toEqual([{ currency: 'USD' }, { currency: 'EUR' }])
})

describe('API keys in the dashboard', () => {
  test('are shown once, then masked, and stored as hashes; several work in parallel; revoked keys stop working within 5 s', async () => {
    const user = await givenUser(service)
    const workspaceId = await givenWorkspace(user)
    const program = (await user.call('POST', '/api/programs', { workspaceId, name: 'Keys' })).body.data
    const path = `/api/programs/${program.id}/api-keys`
    const [first, second] = [await user.call('POST', path, { name: 'first' }), await user.call('POST', path)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.data.key).toMatch(/^trk_[A-Za-z0-9]+_[A-Za-z0-9]{27,}$/)

    const test = (key: string) =>
      service.call(
        'POST',
        '/api/v1/track/sale',
        { additional_data: { test_mode: true } },
        { authorization: `Bearer ${key}` },
      )
    for (const { body } of [first, second]) expect((await test(body.data.key)).status).toBe(200)

    const list = await user.call('GET', path)
    expect(list.body.data).toMatchObject([{ name: 'first', lastUsedAt: expect.any(String), revokedAt: null }, {}])
    const secret = first.body.data.key.split('_')[2]
    expect(JSON.stringify(list.body)).not.toContain(secret)
    const { rows } = await service.pool.query('SELECT k::text AS text FROM api_keys k')
    expect(JSON.stringify(rows)).not.toContain(secret)

    const revoked = await user.call('DELETE', `${path}/${first.body.data.id}`)
    expect(revoked).toMatchObject({ status: 200, body: { data: { revokedAt: expect.any(String) } } })
    const deadline = Date.now() + 5_000
    while ((await test(first.body.data.key)).status === 200 && Date.now() < deadline) await Bun.sleep(100)
    // A call that starts after the deadline must fail, however slow the machine is.
    expectRefusal(await test(first.body.data.key), 401, 'invalid_api_key')
    expect((await test(second.body.data.key)).status).toBe(200)
    expectRefusal(await user.call('DELETE', `${path}/nonsense`), 404, 'not_found')
  })
})
