import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Account = { email: string; password: string }
export type Cast = {
  owner: Account
  partner: Account
  waiting: Account
  programId: number
  /** Pages of the owner beyond the navigation, by picture name. */
  details: Record<string, string>
}

const PASSWORD = 'only for the pictures'
const OFFER =
  'Do you write, film or speak about data? Send us people who need analytics and earn a share of what they pay.'

type Row = { id: number; name: string; partnerId: number }
type Answer = { data: Row & { lines: Row[] } }
type List = { data: Row[] }

/** Completes what the demo leaves to its owner: a payout and an applicant. */
export const prepareDemo = async (url: string, dataDir: string): Promise<Cast> => {
  const stored: Account & { partner: Account } = JSON.parse(readFileSync(join(dataDir, 'demo-sign-in.json'), 'utf8'))
  const { partner, ...owner } = stored
  const merchant = await callerFor(url, owner)
  const { data: programs } = await merchant<List>('GET', '/api/programs')
  const programId = programs[0]?.id ?? 0
  const api = `/api/programs/${programId}`
  await merchant('PATCH', api, { applicationsOpen: true, applicationText: OFFER, partnersCreateLinks: true })

  const { data: partners } = await merchant<List>('GET', `${api}/partners`)
  const maya = partners.find(({ name }) => name.startsWith('Maya'))?.id

  const { data: payout } = await merchant<Answer>('POST', `${api}/payouts`, {})
  const [line] = payout.lines
  await merchant('POST', `${api}/payouts/${payout.id}/lines/${line?.id}`, { status: 'paid' })

  const waiting = { email: 'ines@example.com', password: PASSWORD }
  await call(url, 'POST', `/api/public/programs/${programId}/apply`, { name: 'Inês Duarte', ...waiting })
  const sale = await findLongestExplanation((path) => merchant('GET', `${api}${path}`))
  const program = `/programs/${programId}`
  const details = {
    sale: `${program}/sales/${sale}`,
    partner: `${program}/partners/${maya}`,
    payout: `${program}/payouts/${payout.id}`,
    groups: `${program}/partners/groups`,
    'partner-applications': `${program}/partners/applications`,
    customers: `${program}/sales/customers`,
    events: `${program}/sales/events`,
    'check-attribution': `${program}/sales/check-attribution`,
    setup: `${program}/set-up`,
  }
  return { owner, partner, waiting, programId, details }
}

type Explained = { data: { facts: { clicks: unknown[] } | null } }

/** A sale with clicks of several partners: it has the longest explanation. */
const findLongestExplanation = async (get: <Body>(path: string) => Promise<Body>) => {
  const { data: sales } = await get<List>('/sales?state=credited&pageSize=60')
  const explanations = await Promise.all(
    sales.map(async ({ id }) => {
      const { data } = await get<Explained>(`/sales/${id}/explain`)
      return { id, clicks: data.facts?.clicks.length ?? 0 }
    }),
  )
  return explanations.toSorted((a, b) => b.clicks - a.clicks)[0]?.id
}

const call = async (url: string, method: string, path: string, body?: object, cookie = '') => {
  const answer = await fetch(url + path, {
    method,
    headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`)
  return answer
}

const callerFor = async (url: string, account: Account) => {
  const { headers } = await call(url, 'POST', '/api/auth/sign-in/email', account)
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return async <Body>(method: string, path: string, body?: object): Promise<Body> =>
    (await call(url, method, path, body, cookie)).json() as Promise<Body>
}
