import type { SetUp } from '@tributary/contract'
import { eventsSeen } from '../../../processor/events-seen.ts'
import { setUpSteps } from '../../../tracking/set-up/set-up.ts'
import type { App, Dependencies } from '../../context.ts'
import { requireProgram } from '../require-session.ts'

/** Setup progress for the dashboard. `GET /api/tracking/status` has its own, simpler definition of complete. */
export const setUp = (app: App, dependencies: Dependencies) => {
  const { clock } = dependencies

  app.get('/api/programs/:programId/set-up', requireProgram(dependencies, 'tracking:read'), async (c) => {
    const db = c.get('db')
    const program = c.get('program')
    const found = await setUpSteps(db, { program, at: clock() })
    const events = await eventsSeen(db, program.workspaceId)
    const steps = { ...found, payments: { ...found.payments, events } }
    const data: SetUp = { programId: program.id, done: Object.values(steps).every(({ done }) => done), steps }
    return c.json({ data })
  })
}
