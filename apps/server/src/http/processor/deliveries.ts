import { type Delivery, isPlausibleSignature } from '../../processor/stripe/verify-signature.ts'
import { Refusal } from '../../refusal.ts'
import type { Call, Dependencies } from '../context.ts'
import { rawBodies, refuseLongBody } from './read-raw.ts'

const HEADER = 'stripe-signature'

export type Deliveries = ReturnType<typeof readDeliveries>

/** Reads signed webhook calls. Everything that can be refused without the body is refused before it is read. */
export const readDeliveries = ({ clock, limits }: Dependencies) => {
  const bodies = rawBodies()
  const refuseSignature = (c: Call, endpoint: string): never => {
    limits.signature.count(c.get('clientIp'), endpoint)
    throw invalidSignature()
  }
  return {
    /** Goes around the whole handler: the bytes of a call take memory before they are read. */
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
      // Sending takes the caller's time, not the database's.
      c.get('patience')?.pause()
      return bodies.hold(c.req.raw, c.get('clientIp'), (raw) => {
        c.get('patience')?.resume()
        return receive({ raw, signature, at: clock() })
      })
    },
  }
}

const invalidSignature = () =>
  new Refusal(
    'invalid_signature',
    'The signature does not fit: check that the payment settings have the signing secret of this endpoint, and that the body is passed on unchanged and within five minutes.',
  )
