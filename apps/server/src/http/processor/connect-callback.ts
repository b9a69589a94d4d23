import { requirePermission } from '../../platform/access.ts'
import { connectPlatformAccount } from '../../processor/connections/connect-platform-account.ts'
import { readState } from '../../processor/connections/oauth-state.ts'
import { unnamedProcessor } from '../../processor/processors.ts'
import { findProgram } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import type { App, Dependencies } from '../context.ts'
import { findSession } from '../sign-in/require-session.ts'

/** GET /api/processor/callback: the browser returns from the processor's consent page with the same session. */
export const connectCallback = (app: App, dependencies: Dependencies) => {
  const { db, baseUrl, clock } = dependencies
  const { stateKey, settings } = dependencies.processor
  const platform = unnamedProcessor.platform?.(settings)

  app.get('/api/processor/callback', async (c) => {
    const { state = '', code } = c.req.query()
    const { id: sessionId, user } = await findSession(c, dependencies)
    const programId = readState(stateKey, { state, sessionId }, clock())
    const program = programId === null ? undefined : await findProgram(db, programId)
    if (!program)
      throw new Refusal(
        'invalid_request',
        'This link has expired or belongs to another session. Start again in the payment settings.',
        { field: 'state' },
      )
    await requirePermission(db, { user, workspaceId: program.workspaceId, permission: 'key:manage' })
    if (code && platform) {
      const account = await platform.connectedAccount(code)
      const processor = unnamedProcessor.name
      await connectPlatformAccount(dependencies, { processor, program, userId: user.id, account })
    }
    // Never redirect to an address from the request.
    return c.redirect(`${baseUrl}/programs/${program.id}/set-up?processor=${code ? 'connected' : 'denied'}`)
  })
}
