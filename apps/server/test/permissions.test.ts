import { describe, expect, test } from 'bun:test'
import { type ChangeProgram, PERMISSIONS, type Permission, ROLES, type Role } from '@tributary/contract'
import { SETTING_PERMISSIONS } from '@tributary/contract/setting-permissions'
import { roleHasPermission } from '../src/accounts/roles.ts'
import { expectRefusal, givenUser, type User, unique } from './support/given.ts'
import { givenPayingProgram, givenRole } from './support/money.ts'
import { givenService } from './support/shared-service.ts'

const service = await givenService()
const program = await givenPayingProgram(service, null)

const users = {} as Record<Role, User>
for (const role of ROLES) {
  users[role] = await givenUser(service)
  await givenRole(service, program.workspaceId, users[role], role)
}

/** The whole table. The specification names the permissions and gives every role except `billing` `tracking:read`. */
const GRANTED: Record<Permission, Role[]> = {
  'tracking:read': ['owner', 'admin', 'member', 'viewer'],
  'tracking:list': ['owner', 'admin', 'member', 'viewer'],
  'program:read': ['owner', 'admin', 'member', 'viewer', 'billing'],
  'program:create': ['owner', 'admin'],
  'program:update': ['owner', 'admin', 'member'],
  'key:manage': ['owner', 'admin'],
  'partner:manage': ['owner', 'admin', 'member'],
  'commission:read': ['owner', 'admin', 'member', 'viewer', 'billing'],
  'payout:manage': ['owner', 'admin', 'billing'],
  'member:manage': ['owner', 'admin'],
}

describe('the permissions of the roles', () => {
  test.each(PERMISSIONS.map((permission) => [permission]))('%s', (permission) => {
    expect(ROLES.filter((role) => roleHasPermission(role, permission))).toEqual(GRANTED[permission])
  })

  test('are what SECURITY.md says', async () => {
    const text = await Bun.file(new URL('../../../SECURITY.md', import.meta.url)).text()
    const rows = [...text.matchAll(/^\| `(\w+:\w+)` \| ([\w, ]+) \|/gm)]
    const written = Object.fromEntries(rows.map(([, permission, roles]) => [permission, roles?.split(', ')]))
    expect(written).toEqual(GRANTED)
  })
})

/** Another valid value for every setting. */
const OTHERS: Required<{ [Name in keyof ChangeProgram]: [ChangeProgram[Name], ChangeProgram[Name]] }> = {
  name: ['One', 'Other'],
  cookieWindowDays: [30, 365],
  leadAuth: ['server_required', 'browser_allowed'],
  paymentTrackingMode: ['processor_connect', 's2s'],
  attributionModel: ['last_click', 'first_click'],
  currency: ['USD', 'EUR'],
  respectGlobalPrivacyControl: [false, true],
  codePrecedence: ['link', 'code'],
  partnersRequestCodes: [false, true],
  reviewAdClicks: [false, true],
  reviewWithinSeconds: [null, 60],
  partnersCreateLinks: [false, true],
  applicationsOpen: [false, true],
  applicationText: [null, 'Join us'],
  timezone: ['UTC', 'Europe/Berlin'],
  websites: [[], ['https://shop.example']],
}
type Setting = keyof typeof OTHERS

describe('every setting of a program', () => {
  const settings = Object.keys(OTHERS) as Setting[]

  test('that affects payments or who can report them needs more than program:update', () => {
    expect(settings.toSorted()).toEqual(Object.keys(SETTING_PERMISSIONS).toSorted() as Setting[])
    const more = Object.entries(SETTING_PERMISSIONS).filter(([, permission]) => permission !== 'program:update')
    expect(Object.fromEntries(more)).toEqual({
      leadAuth: 'key:manage',
      currency: 'payout:manage',
      cookieWindowDays: 'payout:manage',
      respectGlobalPrivacyControl: 'payout:manage',
      attributionModel: 'payout:manage',
      codePrecedence: 'payout:manage',
      reviewAdClicks: 'payout:manage',
      reviewWithinSeconds: 'payout:manage',
    })
  })

  for (const setting of settings)
    test.each(ROLES.map((role) => [role]))(`${setting} is changed by the roles that may (%s)`, async (role) => {
      const [before, after] = OTHERS[setting]
      expect((await users.owner.call('PATCH', program.api, { [setting]: before })).status).toBe(200)
      const answer = await users[role].call('PATCH', program.api, { [setting]: after })
      const missing = (['program:update', SETTING_PERMISSIONS[setting]] as const).find(
        (one) => !roleHasPermission(role, one),
      )
      const shown = (await users.owner.call('GET', program.api)).body.data[setting]
      if (missing) {
        expectRefusal(answer, 403, 'forbidden')
        expect(answer.body.error).toMatchObject({ message: expect.stringContaining(missing) })
        expect(shown).toEqual(before)
      } else {
        expect(answer.status).toBe(200)
        expect(shown).toEqual(after)
      }
    })

  test('may be sent back unchanged by a role that may not change it', async () => {
    const current = (await users.owner.call('GET', program.api)).body.data
    const sent = Object.fromEntries(settings.map((setting) => [setting, current[setting]]))
    const answer = await users.member.call('PATCH', program.api, { ...sent, name: 'By a member' })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ ...sent, name: 'By a member' })
  })

  test('holdDays and minimumPayoutCents are terms: payout:manage', async () => {
    for (const role of ROLES) {
      const path = `${program.api}/reward`
      const answer = await users[role].call('PUT', path, { holdDays: 0, minimumPayoutCents: 0 })
      if (roleHasPermission(role, 'payout:manage')) expect(answer.status).toBe(200)
      else expectRefusal(answer, 403, 'forbidden')
    }
  })
})

describe('changes that redirect a partner’s money', () => {
  const partner = `${program.api}/partners/${program.link.partnerId}`
  const another = () => ({ email: `${unique('other')}@example.com` })
  const CHANGES: [what: string, method: string, path: string, body: () => unknown, needs: Permission[]][] = [
    ['a changed address', 'PATCH', partner, another, ['partner:manage', 'payout:manage']],
    ['another address', 'POST', `${partner}/invite`, another, ['partner:manage', 'payout:manage']],
    ['a removed sign-in', 'DELETE', `${partner}/sign-in`, () => undefined, ['payout:manage']],
  ]
  for (const [what, method, path, body, needs] of CHANGES)
    test.each(ROLES.map((role) => [role]))(`${what}, by a %s`, async (role) => {
      const answer = await users[role].call(method, path, body())
      const missing = needs.find((permission) => !roleHasPermission(role, permission))
      if (!missing) return expect([200, 201]).toContain(answer.status)
      expectRefusal(answer, 403, 'forbidden')
      return expect(answer.body.error.message).toContain(missing)
    })
})
