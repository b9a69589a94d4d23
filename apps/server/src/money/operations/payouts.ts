import type { PayoutFileFormat } from '@tributary/contract'
import { type Cell, csvLine } from '@tributary/contract/csv'
import { PAYOUTS } from '@tributary/contract/declared'
import { changedFields } from '../../audit/audit-log.ts'
import { PAYOUT_CREATED } from '../../audit/payout-history.ts'
import type { Database } from '../../database/connect.ts'
import { inLongTransaction, type Tx } from '../../database/transaction.ts'
import { type Log, logHead } from '../../log.ts'
import { withPartnerNames, withPartnerStatus } from '../../partners/partner-names.ts'
import { contactsOf } from '../../partners/partners.ts'
import type { Member } from '../../platform/actor.ts'
import { chunks, money, WHOLE_LIST } from '../../platform/csv-pages.ts'
import { csvFile, csvHeaders, fileAnswer } from '../../platform/files.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { Refusal } from '../../refusal.ts'
import { sealProgram } from '../ledger/seal.ts'
import { previewPayout } from '../payouts/due.ts'
import { lockLinesToExport, recordExport } from '../payouts/export-lines.ts'
import { findPayoutLines } from '../payouts/find-payout-lines.ts'
import { findPayout, listPayouts, type Payout, payoutLineAnswer } from '../payouts/list-payouts.ts'
import { linesOfFile, PAYOUT_FILES, type PayoutFileLine } from '../payouts/payout-files.ts'
import { changePayout, createPayout } from '../payouts/payouts.ts'
import { destinationsFor, withDestinationStates, withDestinations } from './payout-destinations.ts'

export const payouts = ({ log }: { log: Log }) =>
  runs(
    PAYOUTS,
    { payoutId: { what: 'payout', find: findPayout } },
    {
      list: async ({ db, program, query }) => {
        const isFile = query.format === 'csv'
        const page = await listPayouts(db, { programId: program.id, ...query, ...(isFile && WHOLE_LIST) })
        return isFile ? csvFile({ name: 'payouts', columns: COLUMNS, rows: chunks(page.rows, cells) }) : page
      },

      preview: async ({ db, program: { id: programId }, clock, query: { excluded } }) => {
        const at = clock()
        const balances = await previewPayout(db, { programId, at })
        const shown = balances.filter(({ excludedReason }) => excluded === 'true' || excludedReason === null)
        return withDestinationStates(db, { programId, at }, await withPartnerNames(db, programId, shown))
      },

      create: {
        ownTransactions: async ({ db, program, actor, clock, audit, body }) => {
          const { id: programId } = program
          const at = clock()
          await refuseUnknownPartners(db, { programId, ...body })
          await sealProgram(db, { programId, at, onSealed: logHead(log) })
          const id = await inLongTransaction(db, async (tx) => {
            const { payoutId, lines } = await createPayout(tx, { ...body, programId, createdBy: actor.id, at })
            const after = { lines, ...body }
            await audit(tx, { action: PAYOUT_CREATED, subject: `payout ${payoutId}`, after, at })
            return payoutId
          })
          return readPayout(db, { program, actor, id, at })
        },
      },

      get: ({ db, program, payout, actor, clock }) => payoutAnswer(db, { program, actor, payout, at: clock() }),

      change: async ({ tx, program, payout, actor, clock, audit, body }) => {
        const { before, after } = await changePayout(tx, { programId: program.id, payoutId: payout.id, ...body })
        const at = clock()
        const changes = changedFields(before, after)
        if (changes) await audit(tx, { action: 'payout changed', subject: `payout ${payout.id}`, ...changes, at })
        return payoutAnswer(tx, { program, actor, payout: { ...payout, ...after }, at })
      },

      // A write: marking a line paid books the exported amount.
      export: async ({ tx, program, payout: { id: payoutId }, clock, audit, body: { format, currency } }) => {
        const at = clock()
        const lines = await exportLines(tx, { program, payoutId, format, currency, at })
        const after = { format, currency: currency ?? null, lines: lines.map(auditedLine) }
        await audit(tx, { action: 'payout exported', subject: `payout ${payoutId}`, after, at })
        const { columns, row } = PAYOUT_FILES[format]
        const table = [...(columns ? [columns] : []), ...lines.map(row)]
        const body = Buffer.from(table.map(csvLine).join(''))
        return fileAnswer({ body, headers: csvHeaders(`payout-${payoutId}-${format}`) })
      },
    },
  )

type Row = Awaited<ReturnType<typeof listPayouts>>['rows'][number]

const COLUMNS = ['id', 'created_at', 'lines', 'open_lines', 'amounts', 'reference', 'note']

const cells = (row: Row): Cell[] => [
  row.id,
  row.createdAt,
  row.lineCount,
  row.openCount,
  money(row.amounts),
  row.reference,
  row.note,
]

type Chosen = { programId: number; partnerIds?: number[] | undefined; excludePartnerIds: number[] }

export const refuseUnknownPartners = async (
  db: Database,
  { programId, partnerIds = [], excludePartnerIds }: Chosen,
) => {
  const known = await contactsOf(db, { programId, ids: [...partnerIds, ...excludePartnerIds] })
  for (const [field, ids] of Object.entries({ partnerIds, excludePartnerIds })) {
    const unknown = ids.filter((id) => !known.has(id)).slice(0, 10)
    if (unknown.length > 0)
      throw new Refusal('invalid_request', `${field} must be partners of this program. Remove ${unknown.join(', ')}.`, {
        field,
      })
  }
}

type Answer = { program: Program; actor: Member; at: Date }

export const readPayout = async (db: Database, { id, ...answer }: Answer & { id: number }) =>
  payoutAnswer(db, {
    ...answer,
    payout: orNotFound(await findPayout(db, { programId: answer.program.id, id }), 'payout'),
  })

/** A payout with its lines, their partners and destinations. */
const payoutAnswer = async (db: Database | Tx, { payout, ...answer }: Answer & { payout: Payout }) => {
  const programId = answer.program.id
  const lines = await findPayoutLines(db, { programId, payoutId: payout.id })
  const named = await withPartnerStatus(db, programId, lines.map(payoutLineAnswer))
  return { ...payout, lines: await withDestinations(db, { ...answer, payoutId: payout.id }, named) }
}

type Export = { program: Program; payoutId: number; format: PayoutFileFormat; currency: string | undefined; at: Date }

/** Records what is in the file, and returns its lines. */
const exportLines = async (tx: Tx, { program, payoutId, format, currency, at }: Export) => {
  const { id: programId, timezone } = program
  const file = PAYOUT_FILES[format]
  const found = await lockLinesToExport(tx, { programId, payoutId, currency })
  const contacts = await contactsOf(tx, { programId, ids: found.map(({ partnerId }) => partnerId) })
  const rows = await destinationsFor(tx, { programId, at }, found.map(payoutLineAnswer))
  const payees = rows.map((row) => ({ ...row, payoutId, ...contacts.get(row.partnerId), id: row.id }))
  const lines = linesOfFile(file, payees, timezone)
  await recordExport(tx, { programId, method: file.pays, lines })
  return lines
}

const auditedLine = ({ id, partnerId, amountCents, currency, method, account, status }: PayoutFileLine) => ({
  id,
  partnerId,
  amountCents,
  currency,
  method,
  account,
  status,
})
