import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signatures with a time are valid this long, so that an intercepted call cannot be sent again later. */
const TOLERANCE_SECONDS = 300

/** Whether a time in whole Unix seconds is within five minutes of ours, in either direction. */
export const isCurrent = (seconds: string, at: Date) =>
  /^\d{1,12}$/.test(seconds) && Math.abs(Math.floor(at.getTime() / 1000) - Number(seconds)) <= TOLERANCE_SECONDS

type Signed = { key: string | Buffer; parts: (string | Buffer)[] }

/** HMAC-SHA256 over the concatenated parts. */
export const hmac = ({ key, parts }: Signed) => {
  const hash = createHmac('sha256', key)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Compares in constant time. */
export const isSame = (expected: Buffer, given: Buffer) =>
  given.length === expected.length && timingSafeEqual(given, expected)
