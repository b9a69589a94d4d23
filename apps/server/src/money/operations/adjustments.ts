import { ADJUSTMENTS } from '@tributary/contract/declared'
import type { Database } from '../../database/connect.ts'
import type { Tx } from '../../database/transaction.ts'
import type { Member } from '../../platform/actor.ts'
import { orNotFound } from '../../platform/or-not-found.ts'
import { repeated } from '../../platform/repeated.ts'
import { runs } from '../../platform/runs.ts'
import type { Program } from '../../programs/programs.ts'
import { adjust, makeAdjustment } from '../../tracking/adjustments/adjust.ts'
import { previewAdjustment } from '../../tracking/adjustments/preview-adjustment.ts'
import { reverseAdjustment } from '../../tracking/adjustments/reverse-adjustment.ts'
import { findAdjustmentRow, listAdjustments } from '../adjustments/list-adjustments.ts'
import { seesCustomers } from './commissions.ts'

/** Bonuses, manual commissions, voids, and sales credited or moved manually. */
export const adjustments = ({ hashKey }: { hashKey: string }) =>
  runs(
    ADJUSTMENTS,
    { adjustmentId: { what: 'adjustment', find: findAdjustmentRow } },
    {
      list: async ({ db, query, ...reader }) => {
        const { rows, total } = await listAdjustments(db, { ...query, programId: reader.program.id })
        if (await seesCustomers(db, reader)) return { rows, total }
        return { rows: rows.map(withoutInvoice), total }
      },

      create: async ({ tx, body: request, clock, ...reader }) => {
        const { program, actor } = reader
        const { id, isReplayed } = await adjust(tx, { program, userId: actor.id, request, hashKey, clock })
        const row = await adjustmentOf(tx, reader, id)
        return isReplayed ? repeated(row) : row
      },

      preview: {
        // Rolled back.
        ownTransactions: async ({ db, program, actor, clock, body: request }) => {
          const run = (tx: Tx) => makeAdjustment(tx, { program, userId: actor.id, request }, clock)
          return { changes: await previewAdjustment(db, { programId: program.id, run }) }
        },
      },

      reverse: async ({ tx, params: { adjustmentId }, body: { reason }, clock, ...reader }) => {
        const { program, actor } = reader
        const reversal = { programId: program.id, adjustmentId, reason, userId: actor.id, clock }
        orNotFound(await reverseAdjustment(tx, reversal), 'adjustment')
        return adjustmentOf(tx, reader, adjustmentId)
      },
    },
  )

type Reader = { program: Program; actor: Member }

const adjustmentOf = async (db: Database | Tx, reader: Reader, id: number) => {
  const row = orNotFound(await findAdjustmentRow(db, { programId: reader.program.id, id }), 'adjustment')
  return (await seesCustomers(db, reader)) ? row : withoutInvoice(row)
}

/** For members who may not list customers. */
const withoutInvoice = <Row extends object>(row: Row) => ({ ...row, invoiceId: null })
