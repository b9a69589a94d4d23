import { expect } from 'bun:test'
import { unique } from '../support/given.ts'
import { givenPayingProgram, type PayingProgram } from '../support/money.ts'
import { startTestService } from '../support/service.ts'
import { post, signatureOf, TEN_PERCENT } from './given-processor.ts'
import { startStandIn } from './stand-in.ts'
import { stripePayment, type TestEvent } from './stripe-events.ts'

export const PLATFORM_SECRET = 'whsec_platform'

/** A service with a platform account at a stub of Stripe, and merchants who connect theirs. */
export const givenPlatform = async () => {
  const standIn = startStandIn()
  const service = await startTestService({
    stripe: {
      secretKey: 'sk_test_platform',
      clientId: 'ca_platform',
      webhookSecret: PLATFORM_SECRET,
      apiKey: null,
      apiBase: standIn.url,
      connectBase: standIn.url,
    },
  })

  const givenMerchant = async (workspaceId?: string) => {
    const program = await givenPayingProgram(service, TEN_PERCENT)
    if (workspaceId)
      await service.db.updateTable('programs').set({ workspaceId }).where('id', '=', program.id).execute()
    return program
  }

  const begin = async (program: PayingProgram, user = program.owner) => {
    const { status, body } = await user.call('POST', `${program.api}/processor/connect`)
    expect(status).toBe(200)
    return new URL(body.data.url)
  }

  /** The browser returns. The redirect is checked, not followed. */
  const returnFromStripe = (user: { cookie: string }, query: Record<string, string>) =>
    fetch(`${service.url}/api/processor/callback?${new URLSearchParams(query)}`, {
      headers: { cookie: user.cookie },
      redirect: 'manual',
    })

  const codeOf = async (answer: Response) => {
    const { error } = (await answer.json()) as { error: { code: string } }
    return { status: answer.status, code: error.code }
  }

  const connect = async (program: PayingProgram, account: string, options = {}, user = program.owner) => {
    const state = (await begin(program, user)).searchParams.get('state') ?? ''
    const code = unique('ac')
    standIn.grant(code, account, options)
    return returnFromStripe(user, { state, code })
  }

  const connectionOf = async (program: PayingProgram) =>
    (await program.owner.call('GET', `${program.api}/processor`)).body.data

  const deliver = async (event: TestEvent, secret = PLATFORM_SECRET) => {
    const raw = JSON.stringify(event)
    const signature = await signatureOf(raw, { secret, at: service.clock.now() })
    return post(service, '/api/v1/processor/webhook', raw, signature)
  }

  const salesOf = (program: PayingProgram) =>
    service.db.selectFrom('sales').selectAll().where('programId', '=', program.id).execute()

  const paymentOf = (program: PayingProgram, account: string) => {
    const metadata = { program_id: String(program.id), service_customer_key: unique('customer') }
    return stripePayment({ metadata, account })
  }

  return {
    service,
    standIn,
    givenMerchant,
    begin,
    returnFromStripe,
    codeOf,
    connect,
    connectionOf,
    deliver,
    salesOf,
    paymentOf,
  }
}
