import type { TrackingStatus } from '@tributary/contract'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connect.ts'
import { latestTestEvents } from '../../events/test-events.ts'
import { hasApprovedPartner } from '../../partners/partners.ts'
import { findProcessorConnection } from '../../programs/processor-connections.ts'
import type { Program } from '../../programs/programs.ts'

const stepOf = (complete: boolean) => (complete ? 'complete' : 'pending')

const testEventsOf = async (db: Database, programId: number, eventType: 'click' | 'lead') => {
  const events = await latestTestEvents(db, { programId, eventType })
  const [latest] = events
  const createdAt = latest?.createdAt.toISOString() ?? ''
  return {
    testEventCount: events.length,
    hasTestEvents: events.length > 0,
    latestTestEvent: latest ? { id: latest.id, timestamp: createdAt, createdAt } : null,
  }
}

/** Whether the three set-up steps of a program are complete, and what that is read from. */
export const trackingStatus = async (
  { db, clock }: { db: Database; clock: Clock },
  program: Program,
): Promise<TrackingStatus> => {
  const [pageview, referrals, connection, hasPartners] = await Promise.all([
    testEventsOf(db, program.id, 'click'),
    testEventsOf(db, program.id, 'lead'),
    findProcessorConnection(db, program.id),
    hasApprovedPartner(db, program.id),
  ])
  const isProcessorConnected = connection.status === 'connected'
  const methodReady = isProcessorConnected || program.paymentTrackingMode === 's2s'
  return {
    programId: String(program.id),
    stepStatuses: {
      pageview: stepOf(pageview.hasTestEvents),
      referrals: stepOf(referrals.hasTestEvents),
      payments: stepOf(methodReady),
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
}
