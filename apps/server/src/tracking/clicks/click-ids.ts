import { MAX_ROW_ID } from '@tributary/contract'

const RANDOM_BYTES = 16
const TIME_DIGITS = 9
const CLICK_ID = /^(?:[a-z][a-z0-9]*_)?([1-9]\d{0,9})_[0-9a-z]{9}[A-Za-z0-9_-]{22}$/

/** Random bytes are drawn for 256 IDs at a time, because each draw has a fixed cost. */
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
 * The part of a `click_id` after the program ID: the millisecond, which keeps index inserts local, then 128 random bits, which
 * make the ID unguessable.
 */
export const newClickToken = (at: Date) => at.getTime().toString(36).padStart(TIME_DIGITS, '0') + newRandomText()

/** What every new `click_id` starts with, so that a proxy could tell the cells apart (docs/decisions/0043). */
export const clickIdPrefix = (cell: string) => (cell ? `${cell}_` : '')

export const newClickId = (programId: number, at: Date, cell = '') =>
  `${clickIdPrefix(cell)}${programId}_${newClickToken(at)}`

/** A `click_id` names its program after the cell, so lookups need no index across programs. Null if it is malformed. */
export const programOfClickId = (clickId: string): number | null => {
  const programId = Number(CLICK_ID.exec(clickId)?.[1])
  return programId <= MAX_ROW_ID ? programId : null
}
