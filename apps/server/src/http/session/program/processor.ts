import { connectProcessorRequest, type ProcessorConnection } from '@tributary/contract'
import { asRefusal } from '../../../accounts/as-refusal.ts'
import type { Database } from '../../../database/connect.ts'
import { connectOwnAccount } from '../../../processor/connections/connect-own-account.ts'
import { connectPlatformAccount } from '../../../processor/connections/connect-platform-account.ts'
import { disconnect } from '../../../processor/connections/disconnect.ts'
import { makeState, readState } from '../../../processor/connections/oauth-state.ts'
import { authorizeAddress, connectedAccount, deauthorize } from '../../../processor/stripe/connect.ts'
import { findConnectionRow } from '../../../programs/processor-connections.ts'
import { findProgram, type Program } from '../../../programs/programs.ts'
import { Refusal } from '../../../refusal.ts'
import type { App, Call, Dependencies } from '../../context.ts'
import { check, readJson } from '../../read-json.ts'
import { requirePermission, requireProgram } from '../require-session.ts'

/** Connects a program to its payment processor, with the merchant's signing secret or through the platform. */
export const processor = (app: App, dependencies: Dependencies) => {
  const { db, auth, baseUrl, clock, log } = dependencies
  const { sealKey, stateKey, stripe } = dependencies.processor
  // The signing secret is as powerful as an API key: its holder can report sales.
  const mayChange = requireProgram(dependencies, 'key:manage')
  const path = '/api/programs/:programId/processor'
  const callback = `${baseUrl}/api/processor/callback`

  const answerConnection = async (c: Call) =>
    c.json({ data: await connectionAnswer({ ...dependencies, db: c.get('db') }, c.get('program').id) })

  app.get(path, requireProgram(dependencies, 'program:read'), answerConnection)

  app.put(path, mayChange, async (c) => {
    const db = c.get('db')
    const request = check(connectProcessorRequest, await readJson(c))
    const connection = { program: c.get('program'), userId: c.get('user').id, ...request }
    await connectOwnAccount({ db, clock, key: sealKey }, connection)
    return answerConnection(c)
  })

  app.delete(path, mayChange, async (c) => {
    const db = c.get('db')
    const accountId = await disconnect({ db, clock }, { programId: c.get('program').id, userId: c.get('user').id })
    // Already disconnected here. If Stripe fails, the merchant can still remove the application there.
    if (accountId)
      await deauthorize(stripe, accountId).catch((error: Error) =>
        log.warn({ error: error.message }, 'could not deauthorize the account'),
      )
    return answerConnection(c)
  })

  app.post(`${path}/connect`, mayChange, async (c) => {
    const bound = { programId: c.get('program').id, sessionId: await sessionIdOf(c, auth) }
    const state = makeState(stateKey, bound, clock())
    return c.json({ data: { url: authorizeAddress(stripe, { state, redirectUri: callback }) } })
  })

  // The browser returns from the processor's consent page with the same session.
  app.get('/api/processor/callback', async (c) => {
    const { state = '', code } = c.req.query()
    const programId = readState(stateKey, { state, sessionId: await sessionIdOf(c, auth) }, clock())
    const program = orExpiredLink(programId === null ? undefined : await findProgram(db, programId))
    const user = c.get('user')
    const userId = user.id
    await requirePermission(dependencies, { user, workspaceId: program.workspaceId, permission: 'key:manage' })
    if (code)
      await connectPlatformAccount(
        { ...dependencies, db },
        { program, userId, account: await connectedAccount(stripe, code) },
      )
    // Never redirect to an address from the request.
    return c.redirect(`${baseUrl}/programs/${program.id}/set-up?processor=${code ? 'connected' : 'denied'}`)
  })
}

const sessionIdOf = async (c: Call, auth: Dependencies['auth']) => {
  const found = await asRefusal(auth.api.getSession({ headers: c.req.raw.headers }))
  return found?.session.id ?? ''
}

const orExpiredLink = (program: Program | undefined) => {
  if (program) return program
  throw new Refusal(
    'invalid_request',
    'This link has expired or belongs to another session. Start again in the payment settings.',
    {
      field: 'state',
    },
  )
}

const time = (at: Date | null | undefined) => at?.toISOString() ?? null

const connectionAnswer = async (
  { db, baseUrl }: Pick<Dependencies, 'baseUrl'> & { db: Database },
  programId: number,
): Promise<ProcessorConnection> => {
  const row = await findConnectionRow(db, programId)
  return {
    status: (row?.status ?? 'not_connected') as ProcessorConnection['status'],
    kind: (row?.kind ?? null) as ProcessorConnection['kind'],
    accountId: row?.accountId ?? null,
    chargesEnabled: row?.chargesEnabled ?? false,
    payoutsEnabled: row?.payoutsEnabled ?? false,
    detailsSubmitted: row?.detailsSubmitted ?? false,
    connectedAt: time(row?.connectedAt),
    webhookUrl: `${baseUrl}/api/v1/processor/webhook/${programId}`,
    secretSetAt: time(row?.secretSetAt),
    secretConfirmedAt: time(row?.secretConfirmedAt),
    previousSecretValidUntil: time(row?.previousSecretUntil),
  }
}
