import { describe, expect, test } from 'bun:test'
import { foundRow, savedView } from '@tributary/contract'
import { expectRefusal, givenClick, givenUser, type User, unique } from '../support/given.ts'
import { givenPayingProgram, givenRole } from '../support/money.ts'
import { givenService } from '../support/shared-service.ts'

const service = await givenService()

const givenTeam = async () => {
  const program = await givenPayingProgram(service, null)
  const [member, viewer, billing, stranger] = await Promise.all([1, 2, 3, 4].map(() => givenUser(service)))
  for (const [user, role] of [
    [member, 'member'],
    [viewer, 'viewer'],
    [billing, 'billing'],
  ] as const)
    await givenRole(service, program.workspaceId, user as User, role)
  return { ...program, member, viewer, billing, stranger } as typeof program &
    Record<'member' | 'viewer' | 'billing' | 'stranger', User>
}

const VIEW = { list: 'sales', name: 'Large', search: { state: 'credited', sort: '-amountCents' }, columns: ['Sale'] }

describe('a saved view', () => {
  test('belongs to the user who saved it, unless it is shared with the team', async () => {
    const { api, owner, member, viewer, billing } = await givenTeam()
    const save = (user: User, body: object) => user.call('POST', `${api}/views`, { ...VIEW, ...body })
    const names = async (user: User, list = '') =>
      (await user.call('GET', `${api}/views${list}`)).body.data.map(({ name }: { name: string }) => name)
    const own = await save(viewer, {})
    expect(own.status).toBe(201)
    expect(savedView.parse(own.body.data)).toMatchObject({ ...VIEW, shared: false, own: true })
    expect((await save(member, { name: 'For all', shared: true })).status).toBe(201)
    expect(await names(viewer)).toEqual(['For all', 'Large'])
    expect(await names(owner, '?list=sales')).toEqual(['For all'])
    expect(await names(owner, '?list=links')).toEqual([])
    // The billing role may not open the list, and its filters can name customers.
    expect(await names(billing)).toEqual([])
    expectRefusal(await save(billing, {}), 403, 'forbidden')
    expect((await save(billing, { list: 'payouts' })).status).toBe(201)
    const { body } = await owner.call('GET', `${api}/audit?search=view`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['view shared'])
  })

  test('is deleted by its owner; a shared one needs program:update', async () => {
    const { api, owner, member, viewer } = await givenTeam()
    const save = async (user: User, body: object) =>
      (await user.call('POST', `${api}/views`, { ...VIEW, ...body })).body.data.id
    const remove = (user: User, id: number) => user.call('DELETE', `${api}/views/${id}`)
    const [own, shared] = [await save(viewer, {}), await save(member, { shared: true })]
    expectRefusal(await viewer.call('POST', `${api}/views`, { ...VIEW, name: 'x', shared: true }), 403, 'forbidden')
    expectRefusal(await remove(owner, own), 404, 'not_found')
    expectRefusal(await remove(viewer, shared), 403, 'forbidden')
    expect((await remove(owner, shared)).status).toBe(200)
    expect((await remove(viewer, own)).status).toBe(200)
    expectRefusal(await remove(viewer, own), 404, 'not_found')
    expect((await viewer.call('GET', `${api}/views`)).body.data).toEqual([])
  })

  test('can be renamed, updated and shared, under the same permissions', async () => {
    const { api, owner, member, viewer, billing, stranger } = await givenTeam()
    const save = async (user: User, body: object) =>
      (await user.call('POST', `${api}/views`, { ...VIEW, ...body })).body.data.id
    const change = (user: { call: User['call'] }, id: number, body: object) =>
      user.call('PATCH', `${api}/views/${id}`, body)
    const own = await save(viewer, {})
    const search = { state: 'uncredited' }
    const changed = await change(viewer, own, { name: 'Lost', search, columns: null })
    expect(savedView.parse(changed.body.data)).toMatchObject({ name: 'Lost', search, columns: null, shared: false })
    await save(viewer, { name: 'Other' })
    expectRefusal(await change(viewer, own, { name: 'Other' }), 409, 'conflict')
    expectRefusal(await change(viewer, own, { shared: true }), 403, 'forbidden')
    expectRefusal(await change(owner, own, { name: 'Mine' }), 404, 'not_found')
    expectRefusal(await change(stranger, own, { name: 'x' }), 403, 'forbidden')
    expectRefusal(await change(service, own, { name: 'x' }), 401, 'unauthenticated')
    for (const wrong of [{}, { name: '' }, { search: 'x' }, { list: 'links' }, { shared: 'yes' }])
      expectRefusal(await change(viewer, own, wrong), 400, 'invalid_request')
    const shared = await save(member, { shared: true })
    for (const user of [viewer, billing]) expectRefusal(await change(user, shared, { name: 'x' }), 403, 'forbidden')
    expect((await change(owner, shared, { name: 'Ours' })).body.data).toMatchObject({ name: 'Ours', own: false })
    const { rows } = await service.pool.query('SELECT name, shared, search FROM saved_views ORDER BY id DESC LIMIT 3')
    expect(rows).toMatchObject([
      { name: 'Ours', shared: true },
      { name: 'Other' },
      { name: 'Lost', shared: false, search },
    ])
  })

  test('that is private goes with its owner; a shared one stays', async () => {
    const { api, owner, member, workspaceId } = await givenTeam()
    for (const body of [{}, { name: 'Team', shared: true }])
      expect((await member.call('POST', `${api}/views`, { ...VIEW, ...body })).status).toBe(201)
    const team = `/api/workspaces/${workspaceId}/members`
    const { body } = await owner.call('GET', team)
    const { id } = body.data.find(({ role }: { role: string }) => role === 'member')
    expect((await owner.call('DELETE', `${team}/${id}`)).status).toBe(200)
    await givenRole(service, workspaceId, member, 'member')
    expect((await member.call('GET', `${api}/views`)).body.data).toMatchObject([{ name: 'Team', own: true }])
  })

  test('has a name that the user has not used, and bounded filters', async () => {
    const { id, api, viewer, stranger } = await givenTeam()
    const save = (body: object, user = viewer) => user.call('POST', `${api}/views`, { ...VIEW, ...body })
    const saved = await Promise.all([save({}), save({})])
    expect(saved.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => ['abcdefghijklmnopqrstu'[index], 'x']))
    for (const body of [
      { list: 'ledger' },
      { name: '' },
      { name: 'x'.repeat(61) },
      { search: many },
      { search: { 'not a name': 'x' } },
      { search: 'x' },
      { columns: Array.from({ length: 41 }, String) },
      { shared: 'yes' },
    ])
      expectRefusal(await save({ name: 'Other', ...body }), 400, 'invalid_request')
    expectRefusal(await save({}, stranger), 403, 'forbidden')
    expectRefusal(await service.call('GET', `${api}/views`), 401, 'unauthenticated')
    expectRefusal(await service.call('POST', `${api}/views`, VIEW), 401, 'unauthenticated')
    expect((await viewer.call('GET', `${api}/views`)).body.data).toHaveLength(1)
    const rows = Array.from({ length: 98 }, (_, index) => `View ${index}`)
    await service.pool.query(
      `INSERT INTO saved_views (program_id, list, name, shared, search, user_id, created_at)
      SELECT program_id, list, unnest($1::text[]), shared, search, user_id, created_at FROM saved_views WHERE program_id = $2`,
      [rows, id],
    )
    const last = await Promise.all(['A', 'B', 'C'].map((name) => save({ name })))
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })
})

describe('the search of the command palette', () => {
  test('finds partners, customers, sales and links', async () => {
    const { api, owner, link, lead, sale } = await givenTeam()
    const [customer_key, invoice_id] = [unique('user_palette'), unique('INV-palette')]
    const email = `${unique('ada')}@customers.example`
    expect((await lead({ customer_key, click_id: await givenClick(service, link), email })).status).toBe(200)
    expect((await sale({ customer_key, amount: 4_900, invoice_id })).status).toBe(200)
    const find = async (q: string) => {
      const { status, body } = await owner.call('GET', `${api}/search?q=${encodeURIComponent(q)}`)
      expect(status).toBe(200)
      return body.data.map((row: unknown) => {
        const { kind, title, detail } = foundRow.parse(row)
        return [kind, title, detail]
      })
    }
    const found = [expect.stringMatching('customer'), customer_key, expect.any(String)]
    expect(await find(customer_key)).toEqual([found, ['sale', invoice_id, '$49.00']] as never)
    expect(await find(email)).toEqual([found, ['sale', invoice_id, '$49.00']] as never)
    expect((await find(link.aff)).map(([kind]: string[]) => kind)).toEqual(['link'])
    expect(await find('Partner')).toContainEqual(['partner', 'Partner', null])
    expect(await find('nothing like it')).toEqual([])
  })

  test('respects permissions and limits', async () => {
    const { api, owner, viewer, billing, stranger } = await givenTeam()
    expect((await viewer.call('GET', `${api}/search?q=a`)).status).toBe(200)
    for (const user of [billing, stranger]) expectRefusal(await user.call('GET', `${api}/search?q=a`), 403, 'forbidden')
    expectRefusal(await service.call('GET', `${api}/search?q=a`), 401, 'unauthenticated')
    for (const query of ['', '?q=', `?q=${'x'.repeat(256)}`])
      expectRefusal(await owner.call('GET', `${api}/search${query}`), 400, 'invalid_request')
  })
})
