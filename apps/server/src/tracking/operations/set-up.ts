import { SET_UP } from '@tributary/contract/declared'
import { runs } from '../../platform/runs.ts'
import { eventsSeen } from '../../processor/events-seen.ts'
import { findProcessor, unnamedProcessor } from '../../processor/processors.ts'
import { findProcessorConnection } from '../../programs/processor-connections.ts'
import { setUpSteps } from '../set-up/set-up.ts'

/** Setup progress for the dashboard. `GET /api/tracking/status` has its own, simpler definition of complete. */
export const setUp = runs(
  SET_UP,
  {},
  {
    get: async ({ db, program, clock }) => {
      const found = await setUpSteps(db, { program, at: clock() })
      const connected = await findProcessorConnection(db, program.id)
      const processor = findProcessor(connected.processor ?? '') ?? unnamedProcessor
      const events = await eventsSeen(db, processor, program.workspaceId)
      const steps = { ...found, payments: { ...found.payments, events } }
      return { programId: program.id, done: Object.values(steps).every(({ done }) => done), steps }
    },
  },
)
