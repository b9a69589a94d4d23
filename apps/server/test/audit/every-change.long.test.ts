import { describe, expect, test } from 'bun:test'
import { auditEntry } from '@tributary/contract'
import { OPERATIONS } from '@tributary/contract/operations'
import { validCallsOf } from '../fuzz/valid-calls.ts'
import { givenPortal } from '../portal/given-portal.ts'
import { givenProcessor } from '../processor/given-processor.ts'
import { givenLink, givenUser, givenWorkspace, unique } from '../support/given.ts'
import { givenDraft, givenPayingProgram, givenPayoutDetails, givenSale } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { startSmtp } from '../support/smtp.ts'
import { enroll } from '../support/two-factor.ts'

const service = await startTestService({ mail: (await startSmtp()).mail })
const REWARD = { lead: { amountCents: 100 }, sale: null, holdDays: 0 }
const program = await givenPayingProgram(service, REWARD)
const { owner, api, workspaceId } = program
const team = `/api/workspaces/${workspaceId}`

/** Changes only the caller's account or session, not a workspace or a program. */
const OWN_ACCOUNT = null
/** Changes nothing that another entry does not record. */
const CHANGES_NOTHING = null

/** Every route that may change something, and the action of its audit entry. A new route needs a line here. */
const ACTIONS: Record<string, string | null> = {
  'post /api/auth/sign-up/email': OWN_ACCOUNT,
  'post /api/auth/sign-in/email': OWN_ACCOUNT,
  'post /api/auth/sign-out': OWN_ACCOUNT,
  'post /api/auth/update-user': OWN_ACCOUNT,
  'post /api/auth/change-password': OWN_ACCOUNT,
  // The last link records the change in every workspace and program of the account: change-email.test.ts.
  'post /api/auth/change-email': OWN_ACCOUNT,
  'post /api/auth/change-email/confirm': OWN_ACCOUNT,
  'post /api/auth/request-password-reset': OWN_ACCOUNT,
  'post /api/auth/reset-password': OWN_ACCOUNT,
  'post /api/auth/revoke-session': OWN_ACCOUNT,
  'post /api/auth/revoke-sessions': OWN_ACCOUNT,
  'post /api/auth/revoke-other-sessions': OWN_ACCOUNT,
  'post /api/auth/sign-in/link': OWN_ACCOUNT,
  'post /api/auth/sign-in/link/confirm': OWN_ACCOUNT,
  'post /api/auth/sign-in/oidc': OWN_ACCOUNT,
  'post /api/auth/two-factor/verify': OWN_ACCOUNT,
  'post /api/auth/two-factor/enable': OWN_ACCOUNT,
  'post /api/auth/two-factor/confirm': OWN_ACCOUNT,
  'post /api/auth/two-factor/recovery-codes': OWN_ACCOUNT,
  'post /api/auth/two-factor/disable': OWN_ACCOUNT,
  'post /api/workspaces': 'workspace created',
  'put /api/workspaces/{workspaceId}/security': 'security settings changed',
  'patch /api/workspaces/{workspaceId}/members/{memberId}': 'member role changed',
  'delete /api/workspaces/{workspaceId}/members/{memberId}': 'member removed',
  'post /api/workspaces/{workspaceId}/invitations': 'member invited',
  'delete /api/workspaces/{workspaceId}/invitations/{invitationId}': 'invitation withdrawn',
  'post /api/invitations/{invitationId}/accept': 'member joined',
  'post /api/programs': 'program created',
  'patch /api/programs/{programId}': 'program changed',
  'post /api/programs/{programId}/api-keys': 'API key created',
  'delete /api/programs/{programId}/api-keys/{keyId}': 'API key revoked',
  'post /api/programs/{programId}/api-keys/{keyId}/rotate': 'API key rotated',
  'post /api/programs/{programId}/webhook-endpoints': 'webhook endpoint created',
  'patch /api/programs/{programId}/webhook-endpoints/{endpointId}': 'webhook endpoint changed',
  'delete /api/programs/{programId}/webhook-endpoints/{endpointId}': 'webhook endpoint deleted',
  'post /api/programs/{programId}/webhook-endpoints/{endpointId}/rotate': 'webhook secret rotated',
  'post /api/programs/{programId}/webhook-endpoints/{endpointId}/test': CHANGES_NOTHING,
  'post /api/programs/{programId}/webhook-deliveries/{deliveryId}/resend': 'webhook resent',
  // Recorded if there are failed ones; here are none.
  'post /api/programs/{programId}/webhook-deliveries/resend': CHANGES_NOTHING,
  'put /api/programs/{programId}/branding': 'branding changed',
  'put /api/programs/{programId}/branding/logo': 'branding changed',
  'delete /api/programs/{programId}/branding/logo': 'branding changed',
  'put /api/programs/{programId}/agreement': 'program agreement changed',
  'post /api/programs/{programId}/resources/texts': 'resource added',
  'post /api/programs/{programId}/resources/files': 'resource added',
  'patch /api/programs/{programId}/resources/{resourceId}': 'resource changed',
  'delete /api/programs/{programId}/resources/{resourceId}': 'resource removed',
  'put /api/programs/{programId}/application-form': 'application form changed',
  'post /api/programs/{programId}/applications/decide': 'partner changed',
  'post /api/public/applications/confirm': 'partner changed',
  'post /api/portal/programs/{programId}/agreement/accept': 'program agreement accepted',
  'post /api/programs/{programId}/partners': 'partner added',
  'patch /api/programs/{programId}/partners/{partnerId}': 'partner changed',
  'post /api/programs/{programId}/partners/{partnerId}/invite': 'partner invited',
  'delete /api/programs/{programId}/partners/{partnerId}/sign-in': 'partner sign-in removed',
  'post /api/programs/{programId}/partners/{partnerId}/view': 'portal viewed as partner',
  'delete /api/programs/{programId}/partners/{partnerId}/view': OWN_ACCOUNT,
  'post /api/programs/{programId}/partners/bulk': 'partner changed',
  'post /api/programs/{programId}/commissions/bulk': 'commission voided',
  'post /api/programs/{programId}/links': 'link created',
  'patch /api/programs/{programId}/links': 'link changed',
  'post /api/programs/{programId}/codes': 'code assigned',
  'patch /api/programs/{programId}/codes/{codeId}': 'code changed',
  'post /api/portal/programs/{programId}/codes': 'code requested',
  'post /api/programs/{programId}/views': 'view shared',
  'patch /api/programs/{programId}/views/{viewId}': 'view changed',
  'delete /api/programs/{programId}/views/{viewId}': 'view deleted',
  'patch /api/programs/{programId}/links/{linkId}': 'link changed',
  'post /api/programs/{programId}/groups': 'group created',
  'patch /api/programs/{programId}/groups/{groupId}': 'group changed',
  'delete /api/programs/{programId}/groups/{groupId}': 'group deleted',
  'put /api/programs/{programId}/groups/{groupId}/reward': 'reward terms changed',
  'delete /api/programs/{programId}/groups/{groupId}/reward': 'reward terms changed',
  'post /api/programs/{programId}/groups/{groupId}/partners': 'partner moved',
  'put /api/programs/{programId}/reward': 'reward terms changed',
  'post /api/programs/{programId}/reward/preview': CHANGES_NOTHING,
  'post /api/programs/{programId}/reward/preview-sale': CHANGES_NOTHING,
  'put /api/programs/{programId}/partners/{partnerId}/reward': 'reward terms changed',
  'delete /api/programs/{programId}/partners/{partnerId}/reward': 'reward terms changed',
  'post /api/programs/{programId}/reward/backtest': CHANGES_NOTHING,
  'put /api/programs/{programId}/processor': 'processor connected',
  'delete /api/programs/{programId}/processor': 'processor disconnected',
  'put /api/programs/{programId}/processors/{processor}': 'processor connected',
  'delete /api/programs/{programId}/processors/{processor}': 'processor disconnected',
  'post /api/programs/{programId}/processor/connect': CHANGES_NOTHING,
  'post /api/programs/{programId}/processor/replay': 'events replayed',
  'post /api/programs/{programId}/commissions/{commissionId}/review': 'commission approved',
  'post /api/programs/{programId}/commissions/{commissionId}/void': 'commission voided',
  // Recorded if something is held; here is nothing.
  'post /api/programs/{programId}/holds/release': CHANGES_NOTHING,
  'post /api/programs/{programId}/adjustments': 'bonus added',
  'post /api/programs/{programId}/adjustments/preview': CHANGES_NOTHING,
  'post /api/programs/{programId}/adjustments/{adjustmentId}/reverse': 'adjustment undone',
  'post /api/programs/{programId}/payouts': 'payout created',
  'patch /api/programs/{programId}/payouts/{payoutId}': 'payout changed',
  'put /api/programs/{programId}/payouts/schedule': 'payout schedule changed',
  'post /api/programs/{programId}/payouts/drafts/{draftId}/confirm': 'payout created',
  'post /api/programs/{programId}/payouts/drafts/{draftId}/discard': 'payout draft discarded',
  'put /api/programs/{programId}/legal-details': 'legal details changed',
  'post /api/programs/{programId}/payouts/{payoutId}/export': 'payout exported',
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}': 'payout line paid',
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/reset': 'payout line reset',
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/statement/reissue': 'statement reissued',
  'post /api/programs/{programId}/customers/erase': 'personal data erased',
  'post /api/public/partner-invitations/{invitationId}/sign-up': 'partner sign-in added',
  'post /api/public/programs/{programId}/apply': 'partner applied',
  'post /api/portal/invitations/{invitationId}/accept': 'partner sign-in added',
  'post /api/portal/programs/{programId}/apply': 'partner applied',
  'post /api/portal/programs/{programId}/links': 'link created',
  'put /api/portal/programs/{programId}/payout-details': 'payout details changed',
  'put /api/portal/programs/{programId}/legal-details': 'partner legal details changed',
  'post /api/programs/{programId}/notifications/read': OWN_ACCOUNT,
  'put /api/programs/{programId}/notifications/preferences': OWN_ACCOUNT,
  'post /api/programs/{programId}/notifications/test': CHANGES_NOTHING,
  'post /api/portal/programs/{programId}/notifications/read': OWN_ACCOUNT,
  'put /api/portal/programs/{programId}/notifications/preferences': OWN_ACCOUNT,
}

const changing = OPERATIONS.filter(
  ({ method, caller }) => method !== 'get' && ['session', 'partner', 'public'].includes(caller),
).filter(({ path }) => !path.startsWith('/api/v1/'))
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

test('every route that may change something has a line in the table above', () => {
  const missing = changing.map(nameOf).filter((name) => !(name in ACTIONS))
  expect(missing, 'Add them to ACTIONS in audit/every-change.long.test.ts with the action of their entry.').toEqual([])
  expect(Object.keys(ACTIONS).filter((name) => !changing.some((each) => nameOf(each) === name))).toEqual([])
})

const newest = async () => {
  const { rows } = await service.pool.query<{ id: number; action: string; program_id: number | null }>(
    'SELECT * FROM audit_entries ORDER BY id DESC LIMIT 1',
  )
  return rows[0]
}

const callers: Record<string, Record<string, string>> = { anonymous: {}, owner: { cookie: owner.cookie } }
callers.partner = { cookie: (await givenPortal(service).givenPartner(program)).cookie }
callers.key = { authorization: `Bearer ${program.key}` }
const sale = await givenSale(program, 5_000)

const validCall = validCallsOf({
  service,
  program,
  sale,
  callers,
  names: {
    programId: program.id,
    workspaceId,
    partnerId: program.link.partnerId,
    linkId: program.link.id,
    payoutId: 1,
  },
})

type Setup = { path?: Record<string, string>; body?: unknown; cookie?: string }

/** A payout with one line that is part of a payment file. */
const givenExported = async () => {
  const paying = await givenPayingProgram(service, REWARD)
  const details = { method: 'paypal', account: 'maya@example.com' }
  await givenPayoutDetails(service, { programId: paying.id, partnerId: paying.link.partnerId, ...details })
  await paying.customer()
  const payout = await paying.pay()
  expect((await paying.file(payout.id, { format: 'paypal' })).status).toBe(200)
  const path = { programId: String(paying.id), payoutId: String(payout.id), lineId: String(payout.lines[0].id) }
  return { path, cookie: paying.owner.cookie }
}

const givenDrafted = async () => {
  const paying = await givenPayingProgram(service, REWARD)
  await paying.customer()
  const { draftId } = await givenDraft(service, paying)
  return { path: { programId: String(paying.id), draftId: String(draftId) }, cookie: paying.owner.cookie }
}

const givenGroupReward = async () => {
  const { body } = await owner.call('POST', `${api}/groups`, { name: unique('Group') })
  const groupId = String(body.data.id)
  await owner.call('PUT', `${api}/groups/${groupId}/reward`, REWARD)
  return { path: { groupId } }
}

/** Setup that a route needs beyond that of the fuzz suite. */
const SETUPS: Record<string, () => Promise<Setup>> = {
  'put /api/workspaces/{workspaceId}/security': async () => {
    const secured = await givenPayingProgram(service, null)
    const { cookie } = await enroll(service, secured.owner)
    return { path: { workspaceId: secured.workspaceId }, cookie }
  },
  'post /api/workspaces/{workspaceId}/invitations': async () => ({
    body: { email: `${unique('invited')}@example.com` },
  }),
  'delete /api/workspaces/{workspaceId}/invitations/{invitationId}': async () => {
    const { body } = await owner.call('POST', `${team}/invitations`, { email: `${unique('gone')}@example.com` })
    return { path: { invitationId: body.data.id } }
  },
  // Separate programs: other routes in the table change rewards, and many leads of one visitor go to review.
  'post /api/programs/{programId}/commissions/{commissionId}/review': async () => {
    const busy = await givenPayingProgram(service, REWARD)
    for (let leads = 0; leads < 7; leads++) await busy.customer()
    const [{ id }] = await busy.commissions()
    return { path: { programId: String(busy.id), commissionId: String(id) }, cookie: busy.owner.cookie }
  },
  'post /api/programs/{programId}/payouts': async () => {
    const paying = await givenPayingProgram(service, REWARD)
    await paying.customer()
    return { path: { programId: String(paying.id) }, body: {}, cookie: paying.owner.cookie }
  },
  'patch /api/programs/{programId}/payouts/{payoutId}': givenExported,
  'post /api/programs/{programId}/payouts/drafts/{draftId}/confirm': async () => ({
    ...(await givenDrafted()),
    body: {},
  }),
  'post /api/programs/{programId}/payouts/drafts/{draftId}/discard': givenDrafted,
  'post /api/programs/{programId}/payouts/{payoutId}/export': async () => ({
    ...(await givenExported()),
    body: { format: 'paypal' },
  }),
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/reset': givenExported,
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}/statement/reissue': async () => {
    const exported = await givenExported()
    const details = { legalName: 'Acme GmbH', address: 'Berlin' }
    await service.call('PUT', `/api/programs/${exported.path.programId}/legal-details`, details, {
      cookie: exported.cookie,
    })
    return exported
  },
  'post /api/programs/{programId}/partners/bulk': async () => ({
    body: { ids: [(await givenLink(service, program.id)).partnerId], action: 'suspend' },
  }),
  'post /api/programs/{programId}/commissions/bulk': async () => {
    const paying = await givenPayingProgram(service, REWARD)
    await paying.customer()
    const [{ id }] = await paying.commissions()
    const body = { ids: [id], action: 'void', reason: 'A test order' }
    return { path: { programId: String(paying.id) }, body, cookie: paying.owner.cookie }
  },
  'post /api/programs/{programId}/commissions/{commissionId}/void': async () => {
    const paying = await givenPayingProgram(service, REWARD)
    await paying.customer()
    const [{ id }] = await paying.commissions()
    return { path: { programId: String(paying.id), commissionId: String(id) }, cookie: paying.owner.cookie }
  },
  'delete /api/programs/{programId}/groups/{groupId}/reward': givenGroupReward,
  'delete /api/programs/{programId}/partners/{partnerId}/sign-in': async () => {
    const joined = await givenPayingProgram(service, REWARD)
    await givenPortal(service).givenPartner(joined)
    const path = { programId: String(joined.id), partnerId: String(joined.link.partnerId) }
    return { path, cookie: joined.owner.cookie }
  },
  // The program joins the workspace after the event arrived, so a replay applies it.
  'post /api/programs/{programId}/processor/replay': async () => {
    const [shop, late] = [await givenProcessor(service), await givenProcessor(service)]
    await shop.send((await late.payment()).completed())
    const { workspaceId } = shop
    await service.db.updateTable('programs').set({ workspaceId }).where('id', '=', late.id).execute()
    const body = { since: '2020-01-01', dryRun: false }
    return { path: { programId: String(shop.id) }, body, cookie: shop.owner.cookie }
  },
  'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}': async () => {
    const paying = await givenPayingProgram(service, REWARD)
    await paying.customer()
    const payout = await paying.pay()
    const path = { programId: String(paying.id), payoutId: String(payout.id), lineId: String(payout.lines[0].id) }
    return { path, cookie: paying.owner.cookie }
  },
  'put /api/programs/{programId}/processors/{processor}': async () => ({ path: { processor: 'stripe' } }),
  'delete /api/programs/{programId}/processors/{processor}': async () => {
    await owner.call('PUT', `${api}/processors/stripe`, { webhookSecret: 'whsec_1' })
    return { path: { processor: 'stripe' } }
  },
  'post /api/programs/{programId}/customers/erase': async () => ({ body: { customerKey: await program.customer() } }),
  'patch /api/programs/{programId}': async () => ({ body: { name: unique('Renamed') } }),
  'patch /api/programs/{programId}/links/{linkId}': async () => {
    const { body } = await owner.call('POST', `${api}/links`, { partnerId: program.link.partnerId })
    return { path: { linkId: String(body.data.id) }, body: { active: false } }
  },
  'patch /api/programs/{programId}/partners/{partnerId}': async () => ({ body: { name: unique('Renamed') } }),
}

const fill = (path: string, names: Record<string, string>) => path.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? '')

describe('the audit log records', () => {
  for (const operation of changing.filter((each) => ACTIONS[nameOf(each)]))
    test(`${nameOf(operation)}: ${ACTIONS[nameOf(operation)]}`, async () => {
      const call = await validCall(operation)
      const arranged = (await SETUPS[nameOf(operation)]?.()) ?? {}
      const before = await newest()
      const query = new URLSearchParams(call.query as Record<string, string>)
      const path = `${fill(operation.path, { ...call.path, ...arranged.path })}?${query}`
      const body = arranged.body ?? call.body
      const headers = arranged.cookie ? { cookie: arranged.cookie } : callers[call.caller]
      const response = await fetch(service.url + path, {
        method: operation.method.toUpperCase(),
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const answer = await response.text()
      expect({ status: response.status, answer: response.ok ? null : answer }).toEqual({
        status: operation.status ?? 200,
        answer: null,
      })
      const after = await newest()
      expect(after?.id).not.toBe(before?.id ?? 0)
      expect(after?.action).toBe(ACTIONS[nameOf(operation)] ?? '')
    })

  test('no secret: keys by their public id, and no password, token or signing secret', async () => {
    const { body } = await owner.call('POST', `${api}/api-keys`, { name: 'Shop' })
    const { rows } = await service.pool.query('SELECT row_to_json(audit_entries)::text AS entry FROM audit_entries')
    const log = rows.map(({ entry }) => entry).join('\n')
    expect(log).toContain(body.data.id)
    for (const secret of [
      body.data.key,
      body.data.key.split('_')[2],
      'whsec_',
      'a long password',
      'at least 8 characters',
    ])
      expect(log).not.toContain(secret)
  })
})

describe('an entry', () => {
  const entries = async () => {
    const { body } = await owner.call('GET', `${api}/audit?pageSize=200`)
    return body.data.map((entry: unknown) => auditEntry.parse(entry)) as ReturnType<typeof auditEntry.parse>[]
  }

  test('of a member appears for the programs of its workspace and no others', async () => {
    const [entry] = (await entries()).filter(({ action }) => action === 'member role changed')
    expect(entry).toMatchObject({ before: { role: 'viewer' }, after: { role: 'admin' }, byPartner: false })
    const stranger = await givenUser(service)
    const elsewhere = await givenWorkspace(stranger)
    const { id } = (await stranger.call('POST', '/api/programs', { name: 'Elsewhere', workspaceId: elsewhere })).body
      .data
    const theirs = (await stranger.call('GET', `/api/programs/${id}/audit`)).body.data
    expect(theirs.map(({ action }: { action: string }) => action)).toEqual(['program created', 'workspace created'])
  })

  test('of a partner’s own change names the partner as the actor', async () => {
    const portal = `/api/portal/programs/${program.id}`
    await service.call(
      'PUT',
      `${portal}/payout-details`,
      { method: 'paypal', account: 'new@example.com', holder: 'M' },
      callers.partner,
    )
    const [details] = await entries()
    expect(details).toMatchObject({
      action: 'payout details changed',
      byPartner: true,
      userName: 'Maya',
      before: { account: 'maya@example.com' },
      after: { account: 'new@example.com' },
    })
  })

  test('of a partner has the fields before and after, and is not written when nothing changed', async () => {
    const { id } = (await owner.call('POST', `${api}/partners`, { name: 'Ada', code: unique('ada') })).body.data
    const email = `${unique('ada')}@example.com`
    await owner.call('PATCH', `${api}/partners/${id}`, { name: 'Ada', email, archived: true })
    await owner.call('PATCH', `${api}/partners/${id}`, { email, archived: true })
    const ofAda = (await entries()).filter(({ subject }) => subject === `partner ${id}`)
    expect(ofAda).toMatchObject([
      { action: 'partner changed', before: { email: null, archived: false }, after: { email, archived: true } },
      { action: 'partner added', before: null, after: { name: 'Ada' } },
    ])
    expect(ofAda[0]?.after).toEqual({ email, archived: true })
  })

  test('of payout details is written for the first ones and for changes, not for equal ones', async () => {
    const joined = await givenPayingProgram(service, REWARD)
    const partner = await givenPortal(service).givenPartner(joined)
    const set = (account: string) =>
      partner.call('PUT', `/api/portal/programs/${joined.id}/payout-details`, {
        method: 'paypal',
        account,
        holder: 'M',
      })
    for (const account of ['a@example.com', 'a@example.com', 'b@example.com', 'b@example.com'])
      expect((await set(account)).status).toBe(200)
    const { data } = (await joined.owner.call('GET', `${joined.api}/audit?search=payout+details`)).body
    expect(data).toMatchObject([
      { before: { account: 'a@example.com' }, after: { account: 'b@example.com' } },
      { before: null, after: { account: 'a@example.com' } },
    ])
  })

  test('is rolled back with its change', async () => {
    const before = (await entries()).length
    expect((await owner.call('POST', `${api}/links`, { partnerId: null, aff: program.link.aff })).status).toBe(409)
    expect((await entries()).length).toBe(before)
  })

  test('of a member who leaves says so', async () => {
    const viewer = await givenUser(service)
    const { body } = await owner.call('POST', `${team}/invitations`, { email: viewer.email, role: 'admin' })
    await viewer.call('POST', `/api/invitations/${body.data.id}/accept`)
    const members = (await owner.call('GET', `${team}/members?pageSize=200`)).body.data
    const { id } = members.find(({ email }: { email: string }) => email === viewer.email)
    expect((await viewer.call('DELETE', `${team}/members/${id}`)).status).toBe(200)
    expect((await entries())[0]).toMatchObject({ action: 'member left', subject: `member ${viewer.email}` })
  })
})
