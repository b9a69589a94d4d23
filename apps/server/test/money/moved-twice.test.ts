import { describe, expect, test } from 'bun:test'
import { givenPortal } from '../portal/given-portal.ts'
import { givenClick, givenLink, unique } from '../support/given.ts'
import { givenService } from '../support/shared-service.ts'
import { type Adjusted, givenAdjusted } from './given-adjustments.ts'

const service = await givenService()
const { givenPartner } = givenPortal(service)

type Earning = { id: number; state: string; because: string[] }

/** What a partner of the program reads, oldest commission first. */
const portalOf = async (program: Adjusted, link = program.link) => {
  const partner = await givenPartner(program, link)
  const portal = `/api/portal/programs/${program.id}`
  const earnings = async (): Promise<Earning[]> =>
    (await partner.call('GET', `${portal}/earnings`)).body.data.toSorted((a: Earning, b: Earning) => a.id - b.id)
  return {
    reasons: async () => (await earnings()).map(({ state, because }) => [state, ...because]),
    stories: async (): Promise<string[][]> =>
      Promise.all(
        (await earnings()).map(
          async ({ id }) => (await partner.call('GET', `${portal}/earnings/${id}`)).body.data.story,
        ),
      ),
    file: async () =>
      (await fetch(`${service.url}${portal}/export/earnings.csv`, { headers: { cookie: partner.cookie } })).text(),
  }
}

/** A sale that the rules credit to Maya, and the partners Ben and Cleo. */
const givenMoves = async () => {
  const program = await givenAdjusted(service)
  const sold = await program.soldByPartner()
  const cleo = await givenLink(service, program.id)
  const move = ({ partnerId }: { partnerId: number }, reason: string) =>
    program.adjust({ type: 'move', saleId: sold.sale_id, partnerId, reason })
  return { program, maya: program.link, ben: program.ben, cleo, move }
}

const moved = (reason: string) => `The program moved the sale to another partner: “${reason}”.`

describe('a sale moved on to a third partner', () => {
  test('shows each partner only why they lost it', async () => {
    const { program, ben, cleo, move } = await givenMoves()
    const [forMaya, forBen] = [await portalOf(program), await portalOf(program, ben)]
    await move(ben, 'Ben closed it')
    await move(cleo, 'Ben was caught cheating')
    expect(await forMaya.reasons()).toEqual([['reversed', moved('Ben closed it')]])
    expect(await forMaya.file()).toContain('Ben closed it')
    expect(await forMaya.file()).not.toContain('cheating')
    expect((await forMaya.stories()).join()).not.toContain('cheating')
    expect(await forBen.reasons()).toEqual([['reversed', moved('Ben was caught cheating')]])
    const rows = await program.commissions()
    expect(rows.at(-1)).toMatchObject({ partnerId: program.link.partnerId, adjustment: { reason: 'Ben closed it' } })
  })

  test('shows no partner anything new if the first move is undone', async () => {
    const { program, ben, cleo, move } = await givenMoves()
    const [forMaya, forCleo] = [await portalOf(program), await portalOf(program, cleo)]
    const first = await move(ben, 'Ben closed it')
    await move(cleo, 'Ben was caught cheating')
    const before = await forCleo.stories()
    expect((await program.undo(first.id, 'Ben lied')).status).toBe(200)
    expect(await forMaya.reasons()).toEqual([['reversed', moved('Ben closed it')]])
    expect(await forCleo.stories()).toEqual(before)
  })
})

describe('a sale moved back to the first partner', () => {
  test('ends the history of the reversed commission with the move that took it', async () => {
    const { program, maya, ben, move } = await givenMoves()
    const forMaya = await portalOf(program)
    await move(ben, 'Ben closed it')
    await move(maya, 'A mistake')
    expect(await forMaya.reasons()).toEqual([['reversed', moved('Ben closed it')], ['payable']])
    const [reversed, current] = await forMaya.stories()
    expect(reversed?.at(-1)).toBe('The program moved the sale from you to another partner: “Ben closed it”.')
    expect(reversed?.join()).not.toMatch(/payable|held|A mistake/)
    expect(current?.at(-1)).toBe('$1.00 is payable now.')
  })

  test('and away again gives both commissions the reason of their move', async () => {
    const { program, maya, ben, move } = await givenMoves()
    const forMaya = await portalOf(program)
    await move(ben, 'Ben closed it')
    await move(maya, 'A mistake')
    await move(ben, 'No mistake')
    expect(await forMaya.reasons()).toEqual([
      ['reversed', moved('Ben closed it')],
      ['reversed', moved('No mistake')],
    ])
    const [, second] = await forMaya.stories()
    expect(second?.at(-1)).toBe('The program moved the sale from you to another partner: “No mistake”.')
  })
})

test('a move that was undone and made again leaves the first commission without an amount to pay', async () => {
  const { program, ben, move } = await givenMoves()
  const forBen = await portalOf(program, ben)
  const first = await move(ben, 'Ben closed it')
  await program.undo(first.id)
  await move(ben, 'Ben did close it')
  expect(await forBen.reasons()).toEqual([['reversed', 'The program undid its adjustment of the sale.'], ['payable']])
  const [undone, current] = await forBen.stories()
  expect(undone?.at(-1)).toStartWith('The program undid its adjustment of the sale: “A mistake”.')
  expect(current?.at(-1)).toBe('$1.00 is payable now.')
})

test('a partner credited later by the rules does not read why the sale was credited to another one', async () => {
  const program = await givenAdjusted(service)
  const forMaya = await portalOf(program)
  const customer_key = unique('late')
  const click_id = await givenClick(service, program.link)
  service.clock.advance(1_000)
  const { sale_id } = await program.soldByNoOne(1_000, customer_key)
  await program.adjust({ type: 'credit', saleId: sale_id, partnerId: program.ben.partnerId, reason: 'For Ben only' })
  expect((await program.lead({ customer_key, click_id })).status).toBe(200)
  expect(await forMaya.reasons()).toEqual([['reversed', 'The program moved the sale to another partner.']])
  expect((await forMaya.stories()).join()).not.toContain('For Ben only')
})
