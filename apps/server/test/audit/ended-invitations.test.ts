import { describe, expect, test } from 'bun:test'
import { givenPortal } from '../portal/given-portal.ts'
import { unique } from '../support/given.ts'
import { givenPayingProgram } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()
const program = await givenPayingProgram(service, { lead: { amountCents: 100 }, sale: null, holdDays: 0 })
const { owner, api, workspaceId } = program

const entriesOf = async (subject: string) => {
  const { body } = await owner.call('GET', `${api}/audit?pageSize=200`)
  return (body.data as { subject: string }[]).filter((entry) => entry.subject === subject)
}

describe('the audit log records an invitation that ends because', () => {
  const invite = (email: string, role: string) =>
    owner.call('POST', `/api/workspaces/${workspaceId}/invitations`, { email, role })

  test('the address is invited to the workspace with another role', async () => {
    const email = `${unique('ada')}@example.com`
    for (const role of ['viewer', 'admin', 'admin']) expect((await invite(email, role)).status).toBe(201)
    expect(await entriesOf(`invitation of ${email}`)).toMatchObject([
      { action: 'member invited', before: { role: 'admin' }, after: { role: 'admin' } },
      { action: 'member invited', before: { role: 'viewer' }, after: { role: 'admin' } },
      {
        action: 'invitation withdrawn',
        before: { email, role: 'viewer', status: 'pending' },
        after: { status: 'canceled' },
      },
      { action: 'member invited', before: null, after: { role: 'viewer' } },
    ])
  })

  const givenInvited = async () => {
    const email = `${unique('bob')}@example.com`
    const added = await owner.call('POST', `${api}/partners`, { name: 'Bob', code: unique('bob'), email })
    const { id } = added.body.data
    expect((await owner.call('POST', `${api}/partners/${id}/invite`, {})).status).toBe(201)
    return { id, email }
  }

  test('the partner’s email address changes', async () => {
    const { id, email } = await givenInvited()
    await owner.call('PATCH', `${api}/partners/${id}`, { email: `${unique('new')}@example.com` })
    await owner.call('PATCH', `${api}/partners/${id}`, { email: `${unique('newer')}@example.com` })
    expect((await entriesOf(`partner ${id}`)).slice(0, 4)).toMatchObject([
      { action: 'partner changed' },
      { action: 'partner changed' },
      { action: 'partner invitation ended', before: { email }, after: { reason: 'email address changed' } },
      { action: 'partner invited' },
    ])
  })

  test('the partner is invited again', async () => {
    const { id, email } = await givenInvited()
    const other = `${unique('other')}@example.com`
    await owner.call('POST', `${api}/partners/${id}/invite`, { email: other })
    expect((await entriesOf(`partner ${id}`)).slice(0, 2)).toMatchObject([
      { action: 'partner invited', before: { email }, after: { email: other } },
      { action: 'partner invited', before: null, after: { email } },
    ])
  })

  test('the partner’s sign-in is removed', async () => {
    const { email } = await givenPortal(service).givenPartner(program)
    const path = `${api}/partners/${program.link.partnerId}`
    const other = `${unique('other')}@example.com`
    await owner.call('POST', `${path}/invite`, { email: other })
    expect((await owner.call('DELETE', `${path}/sign-in`)).status).toBe(200)
    expect((await entriesOf(`partner ${program.link.partnerId}`)).slice(0, 2)).toMatchObject([
      { action: 'partner sign-in removed', before: { emails: [email] } },
      { action: 'partner invitation ended', before: { email: other }, after: { reason: 'sign-in removed' } },
    ])
  })
})
