import type { Ledger } from '../ledger.ts'
import { openCaller } from '../traffic/caller.ts'
import { OWNER, type Shop } from './shop.ts'

/** The merchant at the dashboard. */
export const ownerOf = ({ port, shop }: { port: number; shop: Shop }) => {
  let cookie = ''
  const ask = async (method: string, path: string, body?: object) => {
    const caller = openCaller({ port, isKept: false })
    const answer = await caller.ask({ method, path, body, headers: { cookie } })
    if (!answer) throw new Error(`${method} ${path} was not answered ${caller.failure()}`)
    return answer
  }
  const api = `/api/programs/${shop.programId}`
  return {
    signIn: async () => {
      const { status, headers } = await ask('POST', '/api/auth/sign-in/email', {
        email: OWNER.email,
        password: OWNER.password,
      })
      if (status === 200) cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? ''
      return status
    },
    /** An empty sign-in, which still counts as an attempt. */
    attemptSignIn: async () => (await ask('POST', '/api/auth/sign-in/email', {})).status,
    isSignedIn: async () => (await ask('GET', '/api/me')).status === 200,
    /** Creates a payout of everything payable and marks it paid; returns the number of lines. */
    payAll: async () => {
      const { status, body } = await ask('POST', `${api}/payouts`)
      if (status !== 201) return 0
      for (const { id } of body.data.lines)
        await ask('POST', `${api}/payouts/${body.data.id}/lines/${id}`, { status: 'paid' })
      return body.data.lines.length as number
    },
    lead: async (clickId: string) => {
      const caller = openCaller({ port, isKept: false })
      const headers = { authorization: `Bearer ${shop.key}` }
      const body = { click_id: clickId, customer_key: crypto.randomUUID() }
      const answer = await caller.ask({ path: '/api/v1/track/lead', body, headers })
      return answer?.body?.error?.code ?? answer?.status
    },
    click: async (ledger: Ledger): Promise<string> => {
      const id = crypto.randomUUID()
      ledger.sending('click', id)
      const click = { affiliate_url: shop.affiliateUrl, session_id: id }
      const { click_id } = (await ask('POST', '/api/v1/track/click', click)).body
      ledger.answered('click', id, 'acknowledged', click_id)
      return click_id
    },
  }
}

export type Owner = ReturnType<typeof ownerOf>
