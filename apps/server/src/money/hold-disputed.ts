import type { Tx } from '../database/transaction.ts'
import type { Commission } from './commissions.ts'
import { disputedOf } from './disputes.ts'
import { lockPartnerAccount, standingOf } from './ledger.ts'
import { refundedCentsOf } from './refunds.ts'
import { sharesOf } from './rewards.ts'
import { giveBack, takeBack } from './take-back.ts'

type Holding = { programId: number; commission: Commission; at: Date; causes?: Causes }
type Causes = { lost: string; held: string; freed: string }

/** What a line says where it was no dispute that moved: a refund or another amount leaves another part to be held. */
const CORRECTED: Causes = {
  lost: 'disputed part corrected',
  held: 'disputed part corrected',
  freed: 'disputed part corrected',
}

/** Brings a commission to where the disputes of its sale leave it: what is lost has gone back, what is open is held, no more. */
export const holdDisputed = async (tx: Tx, { programId, commission, at, causes = CORRECTED }: Holding) => {
  const { id: commissionId, saleId, partnerId, currency, amountCents } = commission
  const told = saleId === null ? null : await disputedOf(tx, { programId, saleId })
  if (saleId === null || !told) return
  await lockPartnerAccount(tx, { programId, partnerId, currency })
  const refundedCents = await refundedCentsOf(tx, { programId, saleId })
  const { reversed, held } = sharesOf(amountCents, { ...told, refundedCents })
  const move = { programId, commission, at }
  const before = await standingOf(tx, { programId, commissionId })
  const gone = reversed - (amountCents - before.promised)
  if (gone > 0)
    await takeBack(tx, { ...move, toAccount: 'program', amountCents: gone, cause: causes.lost, disputedFirst: true })
  const { promised, disputed } = await standingOf(tx, { programId, commissionId })
  const more = Math.min(held, promised) - disputed
  if (more > 0) await takeBack(tx, { ...move, toAccount: 'disputed', amountCents: more, cause: causes.held })
  else await giveBack(tx, { ...move, amountCents: -more, cause: causes.freed })
}
