import { describe, expect, test } from 'bun:test'
import { OPERATIONS } from '@tributary/contract/operations'
import { expectRefusal } from '../support/given.ts'
import { startTestService } from '../support/service.ts'
import { givenPortal } from './given-portal.ts'

const open = await startTestService()
const { givenPartner, givenEarningPartner } = givenPortal(open)

describe('every route of the portal', async () => {
  const program = await givenEarningPartner()
  const elsewhere = await givenEarningPartner()
  const theirs = await givenPartner(program, program.other)
  const [{ id: commissionId }] = await program.get('/earnings')
  const api = `${program.api}/resources/files?fileName=logo.txt`
  const file = await program.owner.call('POST', api, 'A file for partners')
  const routes = OPERATIONS.filter(({ caller }) => caller === 'partner')
  const fill = (path: string) =>
    path
      .replace('{programId}', String(program.id))
      .replace('{commissionId}', commissionId)
      .replace('{resourceId}', file.body.data.id)
      .replace('{lineId}', '1')
      .replace('{file}', 'earnings.csv')
      .replace('{invitationId}', program.partner.invitationId)
  const bodyFor = (method: string) => (method === 'get' ? undefined : {})
  const reads = routes.filter(({ method, path }) => method === 'get' && path.includes('{programId}'))

  test('is in this matrix', () => {
    expect(routes.length).toBeGreaterThan(12)
    expect(reads.length).toBeGreaterThan(7)
  })

  for (const { method, path } of routes)
    test(`${method.toUpperCase()} ${path} rejects a caller who is not signed in, an API key included`, async () => {
      expectRefusal(await open.call(method.toUpperCase(), fill(path), bodyFor(method)), 401, 'unauthenticated')
      expectRefusal(
        await open.call(method.toUpperCase(), fill(path), bodyFor(method), { authorization: `Bearer ${program.key}` }),
        401,
        'unauthenticated',
      )
    })

  for (const { method, path } of routes.filter(({ path }) => path.includes('{programId}') && !path.endsWith('/apply')))
    test(`${method.toUpperCase()} ${path} rejects the merchant and a partner of another program`, async () => {
      for (const caller of [program.owner, elsewhere.partner])
        expectRefusal(await caller.call(method.toUpperCase(), fill(path), bodyFor(method)), 403, 'forbidden')
      expectRefusal(
        await program.partner.call(
          method.toUpperCase(),
          fill(path).replace(String(program.id), '987654'),
          bodyFor(method),
        ),
        404,
        'program_not_found',
      )
    })

  for (const { path } of reads)
    test(`GET ${path} shows another partner of the program none of this partner's data`, async () => {
      const response = await fetch(`${open.url}${fill(path)}`, { headers: { cookie: theirs.cookie } })
      const text = await response.text()
      expect(response.status).toBe(/\{(commissionId|lineId)\}/.test(path) ? 404 : 200)
      for (const secret of [
        program.link.aff,
        program.sold.customer_key,
        program.sold.invoice_id,
        program.partner.email,
        '"amountCents":1000',
        '"amountCents":100,',
      ])
        expect(text).not.toContain(secret)
    })

  test('and no merchant route accepts a partner', async () => {
    const session = OPERATIONS.filter(({ caller, path }) => caller === 'session' && path.includes('{programId}'))
    expect(session.length).toBeGreaterThan(30)
    for (const { method, path } of session)
      expectRefusal(
        await program.partner.call(method.toUpperCase(), fill(path).replace(/\{\w+\}/g, '1'), bodyFor(method)),
        403,
        'forbidden',
      )
    expect((await program.partner.call('GET', '/api/programs')).body.data).toEqual([])
    expect((await program.partner.call('GET', '/api/workspaces')).body.data).toEqual([])
  })
})
