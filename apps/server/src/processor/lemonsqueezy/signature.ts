import type { Delivery } from '../port.ts'
import { hmac, isSame } from '../signatures/hmac.ts'

const SIGNATURE = /^[\da-f]{64}$/i

const signatureIn = (headers: Headers) => headers.get('x-signature') ?? ''

export const isPlausible = (headers: Headers) => SIGNATURE.test(signatureIn(headers))

/** Lemon Squeezy signs the body alone. Without a time, a call can be repeated later, but it is the same event. */
export const isSignedWith = (secret: string, { raw, headers }: Delivery) =>
  isPlausible(headers) && isSame(hmac({ key: secret, parts: [raw] }), Buffer.from(signatureIn(headers), 'hex'))
