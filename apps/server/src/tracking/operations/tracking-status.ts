import type { TrackingStatus } from '@tributary/contract'
import { TRACKING_STATUS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import { latestTestEvents } from '../../events/test-events.ts'
import { hasApprovedPartner } from '../../partners/partners.ts'
import { runs } from '../../platform/runs.ts'
import { findProcessorConnection } from '../../programs/processor-connections.ts'

const stepStatus = (complete: boolean): 'complete' | 'pending' => (complete ? 'complete' : 'pending')

const loadTestEvents = async (db: Database, programId: number, eventType: 'click' | 'lead') => {
  const events = await latestTestEvents(db, { programId, eventType })
  const [latest] = events
  const createdAt = latest?.createdAt.toISOString() ?? ''
  return {
    testEventCount: events.length,
    hasTestEvents: events.length > 0,
    latestTestEvent: latest ? { id: latest.id, timestamp: createdAt, createdAt } : null,
  }
}

/** The three setup steps and the statistics behind them. */
export const trackingStatus = runs(
  TRACKING_STATUS,
  {},
  {
    get: async ({ db, program, clock }) => {
      const [pageview, referrals, connection, hasPartners] = await Promise.all([
        loadTestEvents(db, program.id, 'click'),
        loadTestEvents(db, program.id, 'lead'),
        findProcessorConnection(db, program.id),
        hasApprovedPartner(db, program.id),
      ])
      const isProcessorConnected = connection.status === 'connected'
      const methodReady = isProcessorConnected || program.paymentTrackingMode === 's2s'
      return {
        programId: String(program.id),
        stepStatuses: {
          pageview: stepStatus(pageview.hasTestEvents),
          referrals: stepStatus(referrals.hasTestEvents),
          payments: stepStatus(methodReady),
        },
        statistics: {
          pageview,
          referrals,
          payments: {
            paymentTrackingMode: program.paymentTrackingMode,
            methodReady,
            processorConnectionStatus:
              connection.status as TrackingStatus['statistics']['payments']['processorConnectionStatus'],
            isProcessorConnected,
            processorAccountId: isProcessorConnected ? connection.accountId : null,
            chargesEnabled: connection.chargesEnabled,
            payoutsEnabled: connection.payoutsEnabled,
            detailsSubmitted: connection.detailsSubmitted,
            connectionDate: connection.connectedAt?.toISOString() ?? null,
          },
        },
        hasPartners,
        lastUpdated: clock().toISOString(),
      }
    },
  },
)
