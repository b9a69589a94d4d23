import type { Clock } from '../../clock.ts'
import type { PaymentState } from '../../payments/fold-reports.ts'
import type { Program } from '../../programs/programs.ts'

/** What every operation that records something needs: the time, and the key of the hashes by which people are compared. */
export type Telling = { clock: Clock; hashKey: string }

/** A payment that was made, for somebody who may be credited. */
export type Creditable = {
  program: Program
  paid: NonNullable<PaymentState['paid']>
  attribution: NonNullable<PaymentState['attribution']>
}
