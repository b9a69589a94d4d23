import { type Delivery, isPlausibleSignature } from '../../processor/stripe/verify-signature.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies } from '../context.ts'
import { rawBodies, refuseLongBody } from './read-raw.ts'

const HEADER = 'stripe-signature'

export type Deliveries = ReturnType<typeof readDeliveries>

/** Reads signed webhook calls. Rejects as much as possible before reading the body. */
export const readDeliveries = ({ clock, limits }: Dependencies) => {
  const bodies = rawBodies()
  const refuseSignature = (c: Call, endpoint: string): never => {
    limits.signature.count(c.get('clientIp'), endpoint)
    throw invalidSignature()
  }
  return {
    /** Wraps the whole handler, because the bytes of a call use memory before they are read. */
    admit: (handle: (c: Call) => Promise<Response>) => (c: Call) => {
      refuseLongBody(c.req.raw)
      return bodies.admit(c.req.raw, c.get('clientIp'), () => handle(c))
    },
    signatureOf: (c: Call, endpoint: string) => {
      const signature = c.req.header(HEADER) ?? ''
      return isPlausibleSignature(signature, clock()) ? signature : refuseSignature(c, endpoint)
    },
    refuseSignature,
    read: (c: Call, signature: string, receive: (delivery: Delivery) => Promise<Response>) => {
      // Receiving the body does not count toward the call's time limit.
      c.get('timeLimit')?.pause()
      return bodies.hold(c.req.raw, c.get('clientIp'), (raw) => {
        c.get('timeLimit')?.resume()
        return receive({ raw, signature, at: clock() })
      })
    },
  }
}

const invalidSignature = () =>
  new Refusal(
    'invalid_signature',
    'The signature does not match. Check that the payment settings have the signing secret of this endpoint, and that proxies pass the body on unchanged and within five minutes.',
  )
