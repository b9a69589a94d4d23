import type { FrontProxy } from './proxy.ts'

const OWNER = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' }
export const LEAD_CENTS = 250
export const PERCENT = 10
const REWARD = {
  lead: { amountCents: LEAD_CENTS },
  sale: { percentBps: PERCENT * 100, duration: 'lifetime' },
  holdDays: 14,
}

export type Sale = {
  invoiceId: string
  amountCents: number
  refundedCents: number
  commissionCents: number | null
  commissionReversedCents: number | null
}
type Balance = Record<'heldCents' | 'payableCents' | 'reviewCents', number>
export type Shop = Awaited<ReturnType<typeof openShop>>

/** The owner at the dashboard, through https. */
const openDashboard = (proxy: FrontProxy) => {
  let cookie = ''
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { cookie, origin: proxy.url, ...(body && { 'content-type': 'application/json' }) }
    const response = await proxy.request(path, { method, headers, body: body && JSON.stringify(body) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    const cookies = response.headers.getSetCookie()
    if (path.startsWith('/api/auth/sign-')) {
      if (!cookies.every((each) => /; *secure/i.test(each))) throw new Error(`A cookie is not Secure: ${cookies}`)
      cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    }
    return JSON.parse(text)
  }
  return { ask, data: async (method: string, path: string, body?: object) => (await ask(method, path, body)).data }
}

/** Creates the first account with the link that the service printed, and a program with a partner, a link and a key. */
export const openShop = async (proxy: FrontProxy, setUpUrl: string) => {
  const { ask, data } = openDashboard(proxy)
  const setupToken = new URL(setUpUrl).searchParams.get('setup')
  await ask('POST', '/api/auth/sign-up/email', { ...OWNER, setupToken })
  await data('POST', '/api/workspaces', { name: 'Acme' })
  const { id } = await data('POST', '/api/programs', { name: 'Acme', currency: 'USD' })
  const api = `/api/programs/${id}`
  const { id: partnerId } = await data('POST', `${api}/partners`, { name: 'Grace', status: 'approved' })
  const { aff } = await data('POST', `${api}/links`, { partnerId })
  await data('PUT', `${api}/reward`, REWARD)
  const { key }: { key: string } = await data('POST', `${api}/api-keys`, { name: 'Shop' })
  return {
    key,
    affiliateUrl: `https://shop.example/?aff=${aff}`,
    signIn: () => ask('POST', '/api/auth/sign-in/email', { email: OWNER.email, password: OWNER.password }),
    sales: async () => {
      const sales: Sale[] = []
      for (let page = 1; ; page++) {
        const rows: Sale[] = await data('GET', `${api}/sales?pageSize=100&page=${page}&sort=soldAt`)
        sales.push(...rows)
        if (rows.length < 100) return sales
      }
    },
    /** What the partner has earned and not been paid. */
    balance: async () => {
      const balances: Balance[] = await data('GET', `${api}/balances`)
      const sum = (of: (balance: Balance) => number) => balances.reduce((total, each) => total + of(each), 0)
      return {
        earnedCents: sum(({ heldCents, payableCents }) => heldCents + payableCents),
        reviewCents: sum(({ reviewCents }) => reviewCents),
      }
    },
  }
}
