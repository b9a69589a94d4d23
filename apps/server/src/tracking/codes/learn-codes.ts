import type { Recorder } from '../../clock.ts'
import type { Tx } from '../../database/transaction.ts'
import { claimCodes, type LearnedCode, learnCodes, listPaymentsOfCodes } from '../../payments/payment-codes.ts'
import { findOtherInboxProgramId } from '../../payments/workspace-programs.ts'
import { findProgram, type Program } from '../../programs/programs.ts'
import { syncPayment } from '../payments/sync-payments.ts'

type Learned = { inboxProgram: Program; learned: Omit<LearnedCode, 'programId'>[] }

/** Stores what IDs of promotion codes mean, and credits the payments that waited for it. */
export const learnProcessorCodes = async (tx: Tx, recorder: Recorder, { inboxProgram, learned }: Learned) => {
  const programId = inboxProgram.id
  const codes = learned.map((one) => ({ ...one, programId }))
  const behind = learned.flatMap(({ sameAs }) => (sameAs === null ? [] : [{ programId, reference: sameAs }]))
  await claimCodes(tx, [...codes, ...behind])
  await learnCodes(tx, codes)
  for (const { paymentId } of await listPaymentsOfCodes(tx, codes))
    await syncPayment(tx, recorder, { inboxProgram, paymentId })
}

type StatedCode = { program: Program; processor: string; externalId: string; code: string }

/** A member says what the ID of a code stands for. An event that said something else is right. */
export const learnStatedCode = async (
  tx: Tx,
  recorder: Recorder,
  { program, processor, externalId, code }: StatedCode,
) => {
  const otherId = await findOtherInboxProgramId(tx, program.id)
  const inboxProgram = otherId === null ? program : await findProgram(tx, otherId)
  const learned = [{ reference: `${processor}:${externalId}`, code, sameAs: null }]
  if (inboxProgram) await learnProcessorCodes(tx, recorder, { inboxProgram, learned })
}
