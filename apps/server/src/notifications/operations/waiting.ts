import type { Permission, Waiting } from '@tributary/contract'
import { WAITING } from '@tributary/contract/declared'
import { roleHasPermission } from '../../accounts/roles.ts'
import { roleIn } from '../../accounts/workspaces.ts'
import type { Database } from '../../database/connect.ts'
import { findOpenDraftId } from '../../money/payouts/drafts.ts'
import { countOpenPayouts } from '../../money/payouts/list-payouts.ts'
import { countOpenReviews } from '../../money/reviews/count-reviews.ts'
import { countApplications } from '../../partners/partners.ts'
import { runs } from '../../platform/runs.ts'
import { listConnectionRows } from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'
import { countFailingEndpoints } from '../../webhooks/endpoints.ts'

/**
 * Counts what the caller may decide, with the permission of the decision: nobody is sent to work that is not theirs. Every page of the
 * dashboard shows these counts, so each reads open rows only, or a few rows.
 */
export const waiting = runs(
  WAITING,
  {},
  {
    count: async ({ db, program, clock, actor }): Promise<Waiting> => {
      const { id: programId, workspaceId } = program
      const role = await roleIn(db, { userId: actor.id, workspaceId })
      const ifMay = async <Count>(permission: Permission, count: () => Promise<Count>) =>
        role && roleHasPermission(role, permission) ? count() : null
      // One after the other: a page that refreshes should not take several connections.
      return {
        applications: await ifMay('partner:manage', () => countApplications(db, programId)),
        reviews: await ifMay('payout:manage', () => countOpenReviews(db, programId)),
        payouts: await ifMay('payout:manage', async () => ({
          draft: (await findOpenDraftId(db, programId)) !== null,
          open: await countOpenPayouts(db, programId),
        })),
        webhooks: await ifMay('key:manage', () => countFailingEndpoints(db, { programId, at: clock() })),
        processors: await ifMay('key:manage', () => countBrokenConnections(db, program)),
      }
    },
  },
)

/** A program whose server reports sales may have disconnected its processor on purpose. */
const countBrokenConnections = async (db: Database, { id, paymentTrackingMode }: Program) => {
  const statuses = (await listConnectionRows(db, id)).map(({ status }) => status)
  const isLost = statuses.length > 0 && statuses.every((status) => status === 'disconnected')
  const restricted = statuses.filter((status) => status === 'restricted').length
  return isLost && paymentTrackingMode === 'processor_connect' ? 1 : restricted
}
