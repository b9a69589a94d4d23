import { MAX_ROW_ID } from '@tributary/contract'

const RANDOM_BYTES = 16
const TIME_DIGITS = 9
const CLICK_ID = /^([1-9]\d{0,9})_[0-9a-z]{9}[A-Za-z0-9_-]{22}$/

/** Asked for once for many ids: each time they are asked for, they come in a buffer of their own. */
const random = Buffer.allocUnsafeSlow(RANDOM_BYTES * 256)
let used = random.length

const newRandomText = () => {
  if (used === random.length) {
    crypto.getRandomValues(random)
    used = 0
  }
  used += RANDOM_BYTES
  return random.toString('base64url', used - RANDOM_BYTES, used)
}

/**
 * What follows the program in a `click_id`: the millisecond, so that inserts stay local in the index, then 128 random
 * bits, so that nobody can guess one.
 */
export const newClickToken = (at: Date) => at.getTime().toString(36).padStart(TIME_DIGITS, '0') + newRandomText()

export const newClickId = (programId: number, at: Date) => `${programId}_${newClickToken(at)}`

/** A `click_id` names its program, so that no look-up needs an index across programs. Null where it is none of ours. */
export const programOfClickId = (clickId: string): number | null => {
  const programId = Number(CLICK_ID.exec(clickId)?.[1])
  return programId <= MAX_ROW_ID ? programId : null
}
