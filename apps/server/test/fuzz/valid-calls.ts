import { createHash } from 'node:crypto'
import { OPERATIONS } from '@tributary/contract/operations'
import { givenClick, givenLink, givenUser, unique } from '../support/given.ts'
import { givenRole, type PayingProgram } from '../support/money.ts'
import type { TestService } from '../support/service.ts'

export type Call = { caller: string; path: Record<string, string>; query: Record<string, unknown>; body: unknown }

type Shop = {
  service: TestService
  program: PayingProgram
  sale: { invoice_id: string }
  /** A new user becomes `guest` for calls that need one. */
  callers: Record<string, Record<string, string>>
  names: Record<string, unknown>
}
type Operation = (typeof OPERATIONS)[number]

const CALLERS = { public: 'anonymous', key: 'key', 'browser or key': 'key', session: 'owner', partner: 'partner' }

/** The token that an applicant gets by email. */
const givenConfirmation = async ({ pool }: TestService, key: { programId: number; partnerId: number }) => {
  const secret = 's'.repeat(32)
  const hash = createHash('sha256').update(secret).digest()
  await pool.query('UPDATE partner_applications SET confirmation_hash = NULL WHERE confirmation_hash = $1', [hash])
  await pool.query('UPDATE partner_applications SET confirmation_hash = $3 WHERE program_id = $1 AND partner_id = $2', [
    key.programId,
    key.partnerId,
    hash,
  ])
  return `${key.programId}_${secret}`
}

/**
 * A valid call for each route, from a caller who may make it: the example from the reference, about a thing that is created by the
 * example of its own `post`, or about the test data. OVERRIDES has the calls for which that is not enough.
 */
export const validCallsOf = (shop: Shop) => {
  const { service, program, sale, callers, names } = shop
  const { owner, api, workspaceId } = program
  const team = `/api/workspaces/${workspaceId}`

  const guest = async () => {
    const user = await givenUser(service)
    callers.guest = { cookie: user.cookie }
    return user
  }
  const newKey = async () => {
    const { body } = await owner.call('POST', `${api}/api-keys`, { name: 'fuzz' })
    return { path: { keyId: body.data.id } }
  }
  const newGroup = async (body?: object) => {
    await owner.call('POST', `${api}/groups`, { name: unique('Group') })
    // A long run may reach the limit of groups; then the last one does.
    const groups = (await owner.call('GET', `${api}/groups`)).body.data
    return { path: { groupId: String(groups.at(-1).id) }, ...(body && { body }) }
  }
  const newMember = async () => {
    const user = await guest()
    await givenRole(service, workspaceId, user, 'viewer')
    const { data } = (await owner.call('GET', `${team}/members?pageSize=200`)).body
    return { path: { memberId: data.find(({ email }: { email: string }) => email === user.email).id } }
  }
  /** Without an agreement to accept or questions to answer. */
  const withoutForm = async () => {
    await owner.call('PUT', `${api}/agreement`, { text: null })
    await owner.call('PUT', `${api}/application-form`, {})
  }
  const newPartnerInvitation = async (email = `${unique('invited')}@example.com`) => {
    await withoutForm()
    const { partnerId } = await givenLink(service, program.id)
    const { body } = await owner.call('POST', `${api}/partners/${partnerId}/invite`, { email })
    return { path: { invitationId: body.data.url.split('/').at(-1) } }
  }
  /** The last one, if the program has as many as it may have. */
  const newEndpoint = async (body?: object) => {
    await owner.call('POST', `${api}/webhook-endpoints`, { url: 'https://hooks.invalid/', events: ['payout.paid'] })
    const { id } = (await owner.call('GET', `${api}/webhook-endpoints`)).body.data.at(-1)
    await owner.call('PATCH', `${api}/webhook-endpoints/${id}`, { enabled: true })
    return { path: { endpointId: String(id) }, ...(body && { body }) }
  }
  const newDelivery = async () => {
    const { path } = await newEndpoint()
    const { body } = await owner.call('POST', `${api}/webhook-endpoints/${path.endpointId}/test`)
    return { path: { deliveryId: String(body.data.id) } }
  }
  const newResource = async () => {
    const text = { title: unique('Text'), body: 'Try it: {link}' }
    const { body } = await owner.call('POST', `${api}/resources/texts`, text)
    return { path: { resourceId: String(body.data.id) } }
  }
  const approved = async () => {
    await owner.call('PATCH', `${api}/partners/${program.link.partnerId}`, { status: 'approved', archived: false })
    return {}
  }
  const newFile = async () => {
    const { body } = await owner.call('POST', `${api}/resources/files?fileName=a.txt`, unique('File'))
    return { path: { resourceId: String(body.data.id) } }
  }
  const newLogo = async () => {
    // Random, so that it differs from the one before.
    const width = String.fromCharCode(1 + Math.floor(Math.random() * 100))
    const logo = `RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0${width}\0\0${unique('w').slice(0, 1)}\0\0`
    return { body: logo }
  }
  const shownLogo = async () => {
    const { body } = await owner.call('PUT', `${api}/branding/logo`, (await newLogo()).body)
    return { path: { hash: body.data.logoUrl.split('/').at(-1) } }
  }
  const bonus = { type: 'bonus', partnerId: program.link.partnerId, amountCents: 100, reason: 'Well done' }
  const opened = async (settings: object) => {
    await withoutForm()
    await owner.call('PATCH', api, settings)
    return {}
  }
  const newApplicant = async () => {
    const applicant = await guest()
    await opened({ applicationsOpen: true })
    const { body } = await applicant.call('POST', `/api/portal/programs/${program.id}/apply`)
    return body.data.partnerId as number
  }

  const OVERRIDES: Record<string, () => Partial<Call> | Promise<Partial<Call>>> = {
    'post /api/v1/track/click': () => ({ body: { affiliate_url: program.link.url } }),
    'post /api/v1/track/lead': async () => ({
      body: { customer_key: unique('customer'), click_id: await givenClick(service, program.link) },
    }),
    'post /api/programs/{programId}/payouts/{payoutId}/lines/{lineId}': async () => {
      await approved()
      return { body: { status: 'paid' } }
    },
    'post /api/v1/track/refund': () => ({ body: { invoice_id: sale.invoice_id, amount: 1 } }),
    'get /api/tracking/breakdown/{programId}': () => ({ query: { by: 'country' } }),
    'get /api/programs/{programId}/explain': () => ({ query: { invoice_id: sale.invoice_id } }),
    'post /api/programs': () => ({ body: { workspaceId, name: 'Another' } }),
    'post /api/programs/{programId}/partners': () => ({ body: { name: unique('Partner') } }),
    'post /api/programs/{programId}/adjustments': () => ({ body: bonus }),
    'post /api/programs/{programId}/adjustments/preview': () => ({ body: bonus }),
    'post /api/programs/{programId}/adjustments/{adjustmentId}/reverse': async () => {
      const { body } = await owner.call('POST', `${api}/adjustments`, bonus)
      return { path: { adjustmentId: String(body.data.id) } }
    },
    'post /api/programs/{programId}/links': () => ({ body: { partnerId: program.link.partnerId } }),
    'get /api/programs/{programId}/search': () => ({ query: { q: 'Partner' } }),
    'post /api/programs/{programId}/views': () => ({
      body: { list: 'sales', name: unique('View'), shared: true, search: { state: 'credited' } },
    }),
    'patch /api/programs/{programId}/views/{viewId}': async () => {
      const view = { list: 'sales', name: unique('View'), shared: true, search: {} }
      const { body } = await owner.call('POST', `${api}/views`, view)
      return { path: { viewId: String(body.data.id) }, body: { name: unique('View') } }
    },
    'patch /api/programs/{programId}/webhook-endpoints/{endpointId}': () => newEndpoint({ ordered: true }),
    'delete /api/programs/{programId}/webhook-endpoints/{endpointId}': () => newEndpoint(),
    'post /api/programs/{programId}/webhook-endpoints/{endpointId}/rotate': () => newEndpoint(),
    'post /api/programs/{programId}/webhook-endpoints/{endpointId}/test': () => newEndpoint(),
    'get /api/programs/{programId}/webhook-deliveries/{deliveryId}': newDelivery,
    'post /api/programs/{programId}/webhook-deliveries/{deliveryId}/resend': newDelivery,
    'delete /api/programs/{programId}/views/{viewId}': async () => {
      const view = { list: 'sales', name: unique('View'), shared: true, search: {} }
      const { body } = await owner.call('POST', `${api}/views`, view)
      return { path: { viewId: String(body.data.id) } }
    },
    'post /api/programs/{programId}/partners/bulk': async () => ({
      body: { ids: [(await givenLink(service, program.id)).partnerId], action: 'suspend' },
    }),
    'post /api/programs/{programId}/commissions/bulk': () => ({
      body: { ids: [1], action: 'release', reason: 'A real customer' },
    }),
    'patch /api/programs/{programId}/links': async () => ({
      body: { ids: [(await givenLink(service, program.id)).id], active: false },
    }),
    'post /api/programs/{programId}/groups': () => ({ body: { name: unique('Group') } }),
    'get /api/programs/{programId}/groups/{groupId}': () => newGroup(),
    'patch /api/programs/{programId}/groups/{groupId}': () => newGroup({ name: unique('Group') }),
    'delete /api/programs/{programId}/groups/{groupId}': () => newGroup(),
    'get /api/programs/{programId}/groups/{groupId}/reward': () => newGroup(),
    'put /api/programs/{programId}/groups/{groupId}/reward': () => newGroup({ lead: { amountCents: 100 } }),
    'delete /api/programs/{programId}/groups/{groupId}/reward': () => newGroup(),
    'post /api/programs/{programId}/groups/{groupId}/partners': () =>
      newGroup({ partnerIds: [program.link.partnerId] }),
    'post /api/programs/{programId}/partners/{partnerId}/invite': () => ({
      body: { email: `${unique('invited')}@example.com` },
    }),
    'post /api/programs/{programId}/api-keys/{keyId}/rotate': newKey,
    'delete /api/programs/{programId}/api-keys/{keyId}': newKey,
    'patch /api/workspaces/{workspaceId}/members/{memberId}': newMember,
    'delete /api/workspaces/{workspaceId}/members/{memberId}': newMember,
    'post /api/invitations/{invitationId}/accept': async () => {
      const { email } = await guest()
      const { body } = await owner.call('POST', `${team}/invitations`, { email })
      return { caller: 'guest', path: { invitationId: body.data.id } }
    },
    'get /api/public/partner-invitations/{invitationId}': () => newPartnerInvitation(),
    'post /api/public/partner-invitations/{invitationId}/sign-up': () => newPartnerInvitation(),
    'post /api/portal/invitations/{invitationId}/accept': async () => ({
      ...(await newPartnerInvitation((await guest()).email)),
      caller: 'guest',
    }),
    'post /api/public/applications/confirm': async () => {
      const partnerId = await newApplicant()
      const autoApprove = { match: 'all', emailDomains: ['example.com'] }
      await owner.call('PUT', `${api}/application-form`, { autoApprove })
      return { body: { token: await givenConfirmation(service, { programId: program.id, partnerId }) } }
    },
    'get /api/public/programs/{programId}/application': () => opened({ applicationsOpen: true }),
    'post /api/public/programs/{programId}/apply': () => opened({ applicationsOpen: true }),
    'post /api/portal/programs/{programId}/apply': async () => {
      await guest()
      return { ...(await opened({ applicationsOpen: true })), caller: 'guest' }
    },
    'put /api/programs/{programId}/branding': () => ({ body: { displayName: unique('Brand') } }),
    'put /api/programs/{programId}/branding/logo': newLogo,
    'delete /api/programs/{programId}/branding/logo': shownLogo,
    'get /api/public/programs/{programId}/logo/{hash}': shownLogo,
    'post /api/programs/{programId}/resources/files': () => ({ query: { fileName: 'a.txt' }, body: 'A file' }),
    'get /api/programs/{programId}/resources/{resourceId}/file': newFile,
    'get /api/portal/programs/{programId}/resources': approved,
    'get /api/portal/programs/{programId}/resources/{resourceId}/file': async () => ({
      ...(await approved()),
      ...(await newFile()),
    }),
    'patch /api/programs/{programId}/resources/{resourceId}': newResource,
    'delete /api/programs/{programId}/resources/{resourceId}': newResource,
    'post /api/programs/{programId}/applications/decide': async () => ({
      body: { partnerIds: [await newApplicant()], decision: 'approved', message: 'Welcome' },
    }),
    'post /api/portal/programs/{programId}/agreement/accept': async () => {
      const { body } = await owner.call('PUT', `${api}/agreement`, { text: unique('Agreement') })
      return { body: { version: body.data.current.version } }
    },
    'post /api/portal/programs/{programId}/links': async () => {
      await owner.call('PATCH', `${api}/partners/${program.link.partnerId}`, { status: 'approved' })
      return opened({ partnersCreateLinks: true })
    },
    'post /api/portal/programs/{programId}/codes': async () => {
      await owner.call('PATCH', `${api}/partners/${program.link.partnerId}`, { status: 'approved' })
      // A long run may reach the limit of requests.
      for (const code of (await owner.call('GET', `${api}/codes?state=requested`)).body.data ?? [])
        await owner.call('PATCH', `${api}/codes/${code.id}`, { active: false })
      return { ...(await opened({ partnersRequestCodes: true })), body: { code: unique('CODE') } }
    },
    'get /api/portal/programs/{programId}/export/{file}': () => ({ path: { file: 'earnings.csv' } }),
    'post /api/auth/two-factor/enable': () => ({ body: { password: 'a long password' } }),
    'post /api/auth/change-email': () => ({
      body: { email: `${unique('new')}@example.com`, password: 'a long password' },
    }),
    'post /api/auth/change-password': () => ({
      body: { currentPassword: 'a long password', newPassword: 'another long password' },
    }),
  }

  const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name) => String(names[name] ?? 1))
  /** What the path names and the test data does not have. */
  const created = async (path: string) => {
    const found: Record<string, string> = {}
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      if (name in names) continue
      const list = path.slice(0, path.indexOf(`/{${name}}`))
      const create = OPERATIONS.find(
        (each) => each.method === 'post' && each.path === list && each.caller === 'session',
      )
      const answer = create && (await owner.call('POST', fill(list), create.example))
      found[name] = String(answer?.body.data?.id ?? 1)
    }
    return found
  }

  return async ({ method, path, caller, example }: Operation): Promise<Call> => {
    const name = `${method} ${path}`
    const isOfAccount = path.startsWith('/api/auth/')
    if (isOfAccount) await guest()
    const own = (await OVERRIDES[name]?.()) ?? { path: await created(path) }
    const known = Object.entries(names).map(([key, value]) => [key, String(value)])
    return {
      caller: own.caller ?? (isOfAccount ? 'guest' : CALLERS[caller]),
      path: { ...Object.fromEntries(known), ...own.path },
      query: own.query ?? {},
      body: own.body ?? example,
    }
  }
}
