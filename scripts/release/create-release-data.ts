/** Fills an instance through the API with a little of everything that concerns money. */

export const OWNER = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }

type Instance = { url: string; advanceDays: (days: number) => void }
type Answer = Record<string, never> & {
  data: Record<string, unknown> & { id: number; key: string; lines: { id: number }[] }
}

const REWARD = {
  lead: { amountCents: 200 },
  sale: { percentBps: 2000, duration: 'lifetime' },
  holdDays: 14,
  minimumPayoutCents: 0,
}

export const createReleaseData = async ({ url, advanceDays }: Instance) => {
  let cookie = ''
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = { cookie }) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    cookie ||= response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    return JSON.parse(text) as Answer
  }
  await call('POST', '/api/auth/sign-up/email', OWNER)
  await call('POST', '/api/workspaces', { name: 'Acme' })

  const programs = []
  for (const currency of ['EUR', 'JPY']) {
    const { id } = (
      await call('POST', '/api/programs', { name: `Acme ${currency}`, currency, timezone: 'Europe/Berlin' })
    ).data
    programs.push(id)
    await fillProgram({ call, advanceDays }, `/api/programs/${id}`, currency.toLowerCase())
  }
  return { programs: await Promise.all(programs.map((id) => readMoney(call, id))) }
}

type Row = Record<string, unknown>
const only = (names: string[], rows: unknown) =>
  (rows as Row[]).map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))

const BALANCE = ['partnerId', 'currency', 'heldCents', 'payableCents', 'batchedCents', 'paidCents', 'reviewCents']
const COMMISSION = ['id', 'kind', 'partnerId', 'saleId', 'leadId', 'amountCents', 'reversedCents', 'currency', 'state']
const DAY = ['date', 'clicks', 'leads', 'sales', 'revenue', 'commissions']

/** What no upgrade may change. */
export const readMoney = async (call: (method: string, path: string) => Promise<{ data: unknown }>, id: number) => {
  const get = async (path: string) => (await call('GET', path)).data
  const performance = (await get(`/api/tracking/performance/${id}?period=all`)) as { days: Row[] }
  return {
    id,
    balances: only(BALANCE, await get(`/api/programs/${id}/balances`)),
    commissions: only(COMMISSION, await get(`/api/programs/${id}/commissions?pageSize=100`)),
    days: only(DAY, performance.days).filter(({ clicks, leads, sales }) => clicks || leads || sales),
  }
}

type Calls = {
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  advanceDays: Instance['advanceDays']
}

/** Two partners, six customers, renewals, refunds, a bonus, a voided commission, and a payout that is paid for one of them. */
const fillProgram = async ({ call, advanceDays }: Calls, api: string, prefix: string) => {
  await call('PUT', `${api}/reward`, REWARD)
  const { key } = (await call('POST', `${api}/api-keys`, { name: 'Shop' })).data
  const partners: number[] = []
  for (const name of ['Grace', 'Linus']) {
    const aff = `${prefix}-${name.toLowerCase()}`
    const partner = { name, email: `${aff}@example.com`, status: 'approved' }
    const { id: partnerId } = (await call('POST', `${api}/partners`, partner)).data
    partners.push(partnerId)
    await call('POST', `${api}/links`, { partnerId, aff, destinationUrl: 'https://shop.example/' })
    await referCustomers({ call, advanceDays }, { aff, key })
  }
  const [first = 0, second = 0] = partners
  await call('POST', `${api}/adjustments`, { type: 'bonus', partnerId: first, amountCents: 1500, reason: 'Thank you' })
  const commissions = (await call('GET', `${api}/commissions?pageSize=100`)).data as unknown as {
    id: number
    partnerId: number
  }[]
  const voided = commissions.find(({ partnerId }) => partnerId === second)?.id
  await call('POST', `${api}/adjustments`, { type: 'void', commissionId: voided, reason: 'Duplicate customer' })
  advanceDays(20)
  const payout = (await call('POST', `${api}/payouts`)).data
  await call('POST', `${api}/payouts/${payout.id}/lines/${payout.lines[0]?.id}`, { status: 'paid' })
  // A refund after the payout becomes a debt.
  await call('POST', '/api/v1/track/refund', { invoice_id: `${prefix}-grace-1-0` }, { authorization: `Bearer ${key}` })
}

const referCustomers = async ({ call, advanceDays }: Calls, { aff, key }: { aff: string; key: string }) => {
  const keyed = (path: string, body: object) =>
    call('POST', `/api/v1/track/${path}`, body, { authorization: `Bearer ${key}` })
  for (let customer = 1; customer <= 3; customer++) {
    const clicked = await call('POST', '/api/v1/track/click', { affiliate_url: `https://shop.example/?aff=${aff}` }, {})
    const customer_key = `${aff}-${customer}`
    await keyed('lead', { customer_key, click_id: clicked.click_id, email: `${customer_key}@example.com` })
    for (let month = 0; month < customer; month++) {
      await keyed('sale', { customer_key, amount: 4900 + customer, invoice_id: `${customer_key}-${month}` })
      advanceDays(1)
    }
    if (customer === 2)
      await keyed('refund', { invoice_id: `${customer_key}-0`, amount: 1000, refund_id: customer_key })
  }
}
