import { openCaller } from '../traffic/caller.ts'

export type Shop = {
  programId: number
  affiliateUrl: string
  key: string
  webhookSecret: string
  /** The owner's session. */
  cookie: string
}

export const OWNER = { name: 'Owner', email: 'owner@example.com', password: 'a long password' }

/** A tenth of a sale, payable a day later: a jumping clock could confuse the hold period. */
const REWARD = { sale: { percentBps: 1_000, duration: 'lifetime' }, holdDays: 1 }

/** Creates a program with a partner, a link, a key, a reward and a connected processor through the API. */
export const openShop = async (port: number): Promise<Shop> => {
  const caller = openCaller({ port })
  const ask = async (method: string, path: string, body?: object, cookie = '') => {
    const answer = await caller.ask({ method, path, body, headers: { cookie } })
    if (!answer || answer.status > 201)
      throw new Error(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
    return answer
  }
  const { headers } = await ask('POST', '/api/auth/sign-up/email', OWNER)
  const cookie = (headers['set-cookie'] ?? '')
    .split('\n')
    .map((line) => line.split(';')[0])
    .join('; ')
  const owner = async (method: string, path: string, body?: object) => (await ask(method, path, body, cookie)).body.data
  await owner('POST', '/api/workspaces', { name: 'Workspace' })
  const { id: programId } = await owner('POST', '/api/programs', { name: 'Program', cookieWindowDays: 1 })
  const api = `/api/programs/${programId}`
  const { id: partnerId } = await owner('POST', `${api}/partners`, { name: 'Partner', status: 'approved' })
  const { aff } = await owner('POST', `${api}/links`, { partnerId })
  const { key } = await owner('POST', `${api}/api-keys`)
  await owner('PUT', `${api}/reward`, REWARD)
  const webhookSecret = `whsec_${crypto.randomUUID().replaceAll('-', '')}`
  await owner('PUT', `${api}/processor`, { webhookSecret })
  caller.close()
  return { programId, key, webhookSecret, cookie, affiliateUrl: `https://shop.example/?aff=${aff}` }
}
