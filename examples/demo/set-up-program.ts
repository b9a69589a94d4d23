import type { Dashboard } from './dashboard-api.ts'
import { type DemoProcessorName, webhookSecretOf } from './demo-processor.ts'
import { type DemoState, readState, saveState } from './demo-state.ts'

const PROGRAM = { name: 'Quillet partners', currency: 'USD' }
/** Their link is named after the code and leads to the shop. */
export const PARTNER = { name: 'Ines Weber', email: 'ines@example.com', code: 'ines', status: 'approved' }
const REWARD = {
  lead: null,
  sale: { percentBps: 2000, duration: 'lifetime' },
  holdDays: 14,
  minimumPayoutCents: 0,
}

type Options = {
  dataDir: string
  shopUrl: string
  payments: 'processor' | 'server'
  processor: DemoProcessorName
  password: string
}

/**
 * Creates the shop's program with a partner who can sign in, their link, a key, reward and processor connection, or reuses those of an earlier demo. The key
 * and secret are saved next to the database, because the service shows a key only once.
 */
export const setUpProgram = async (
  dashboard: Dashboard,
  { dataDir, shopUrl, payments, processor, password }: Options,
) => {
  const programId = await findOrCreateProgram(dashboard)
  const api = `/api/programs/${programId}`
  const paymentTrackingMode = payments === 'server' ? 's2s' : 'processor_connect'
  await dashboard.patch(api, { websites: [shopUrl], paymentTrackingMode })
  await findOrCreatePartner(dashboard, api, password)
  const state = await findOrCreateSecrets(dashboard, { api, programId, dataDir })
  if (payments === 'processor')
    await connectProcessor(dashboard, { api, programId, processor, webhookSecret: state.webhookSecret })
  return { ...state, partner: PARTNER }
}

const findOrCreateProgram = async (dashboard: Dashboard) => {
  const existing = (await dashboard.list('/api/programs')).find(({ name }) => name === PROGRAM.name)
  if (existing) return existing.id
  const { id } = await dashboard.post('/api/programs', PROGRAM)
  await dashboard.put(`/api/programs/${id}/reward`, REWARD)
  return id
}

/** The partner accepts their invitation to the portal with the password of the demo. */
const findOrCreatePartner = async (dashboard: Dashboard, api: string, password: string) => {
  const partners = await dashboard.list(`${api}/partners`)
  const partner =
    partners.find(({ code }) => code === PARTNER.code) ?? (await dashboard.post(`${api}/partners`, PARTNER))
  const { hasAccount } = await dashboard.get(`${api}/partners/${partner.id}`)
  if (hasAccount) return
  const { url } = await dashboard.post(`${api}/partners/${partner.id}/invite`, {})
  const invitationId = new URL(String(url)).pathname.split('/').at(-1)
  await dashboard.post(`/api/public/partner-invitations/${invitationId}/sign-up`, { name: PARTNER.name, password })
}

type ProgramPaths = { api: string; programId: number; dataDir: string }

const findOrCreateSecrets = async (
  dashboard: Dashboard,
  { api, programId, dataDir }: ProgramPaths,
): Promise<DemoState> => {
  const state = readState(dataDir)
  const keys = await dashboard.list(`${api}/api-keys`)
  const isActive = keys.some(({ id, revokedAt }) => !revokedAt && state?.apiKey.startsWith(`trk_${id}_`))
  if (state?.programId === programId && isActive) return state
  const { key = '' } = await dashboard.post(`${api}/api-keys`, { name: 'Quillet (npm run demo)' })
  return saveState(dataDir, {
    programId,
    apiKey: key,
    webhookSecret: `whsec_${crypto.randomUUID().replaceAll('-', '')}`,
  })
}

type Connection = { api: string; programId: number; processor: DemoProcessorName; webhookSecret: string }

/** The service needs only the signing secret of the merchant's account. */
const connectProcessor = async (dashboard: Dashboard, { api, programId, processor, webhookSecret }: Connection) => {
  if (processor === 'stripe') return connectStripe(dashboard, { api, programId, webhookSecret })
  const rows = (await dashboard.get(`${api}/processors`)) as unknown as { processor: string; status: string }[]
  const status = rows.find((row) => row.processor === processor)?.status
  if (status !== 'pending' && status !== 'connected')
    await dashboard.put(`${api}/processors/${processor}`, { webhookSecret: webhookSecretOf(processor, webhookSecret) })
}

const connectStripe = async (
  dashboard: Dashboard,
  { api, programId, webhookSecret }: Omit<Connection, 'processor'>,
) => {
  const { statistics } = (await dashboard.get(`/api/tracking/status/${programId}`)) as unknown as {
    statistics: { payments: { processorConnectionStatus: string } }
  }
  const isConnected = ['pending', 'connected'].includes(statistics.payments.processorConnectionStatus)
  if (!isConnected) await dashboard.put(`${api}/processor`, { webhookSecret })
}
