import { PAYOUT_DRAFTS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import { PAYOUT_CREATED } from '../../audit/payout-history.ts'
import { inLongTransaction } from '../../database/transaction.ts'
import { type Log, logHead } from '../../log.ts'
import { withPartnerNames } from '../../partners/partner-names.ts'
import { runs } from '../../platform/runs.ts'
import { sealProgram } from '../ledger/seal.ts'
import { confirmDraft, discardDraft, findDraft, findOpenDraft, findOpenDraftId } from '../payouts/drafts.ts'
import { changeSchedule, findSchedule } from '../payouts/schedules.ts'
import { withDestinationStates } from './payout-destinations.ts'
import { readPayout, refuseUnknownPartners } from './payouts.ts'

/** The payout schedule and the drafts it prepares. */
export const payoutDrafts = ({ log }: { log: Log }) =>
  runs(
    PAYOUT_DRAFTS,
    { draftId: { what: 'payout draft', find: findDraft } },
    {
      schedule: async ({ db, program: { id: programId }, clock }) => ({
        ...(await findSchedule(db, { programId, at: clock() })),
        openDraftId: await findOpenDraftId(db, programId),
      }),

      setSchedule: async ({ tx, program: { id: programId, timezone }, clock, audit, body: request }) => {
        const at = clock()
        const { before, after } = await changeSchedule(tx, { programId, at, request, timezone })
        const changes = changedFields(before, after)
        if (changes) await audit(tx, { action: 'payout schedule changed', subject: 'program', ...changes, at })
        return { ...after, openDraftId: await findOpenDraftId(tx, programId) }
      },

      open: async ({ db, program: { id: programId }, clock }) => {
        const at = clock()
        const draft = await findOpenDraft(db, { programId, at })
        if (!draft) return null
        const named = await withPartnerNames(db, programId, draft.lines)
        return { ...draft, lines: await withDestinationStates(db, { programId, at }, named) }
      },

      confirm: {
        ownTransactions: async ({ db, program, params: { draftId }, actor, clock, audit, body }) => {
          const { id: programId } = program
          const at = clock()
          await refuseUnknownPartners(db, { programId, ...body })
          await sealProgram(db, { programId, at, onSealed: logHead(log) })
          const { payoutId, changes } = await inLongTransaction(db, async (tx) => {
            const confirmed = await confirmDraft(tx, { ...body, programId, draftId, createdBy: actor.id, at })
            const { payoutId, lines } = confirmed
            const entry = { action: PAYOUT_CREATED, subject: `payout ${payoutId}`, after: { lines, ...body, draftId } }
            if (lines) await audit(tx, { ...entry, at })
            return confirmed
          })
          return { ...(await readPayout(db, { program, actor, id: payoutId, at })), changes }
        },
      },

      discard: async ({ tx, program: { id: programId }, params: { draftId }, clock, audit }) => {
        const at = clock()
        const isChanged = await discardDraft(tx, { programId, draftId, at })
        if (isChanged) await audit(tx, { action: 'payout draft discarded', subject: `payout draft ${draftId}`, at })
        return { id: draftId, status: 'discarded' as const }
      },
    },
  )
