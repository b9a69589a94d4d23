import { join } from 'node:path'

const entry = (name: string) => join(import.meta.dir, `${name}.ts`)

/** Each is the whole service, composed here, with one part that is wrong on purpose. */
export const acknowledgesBeforeCommit = entry('acknowledges-before-commit')
export const marksBeforeSending = entry('marks-before-sending')
export const marksBeforeApplying = entry('marks-before-applying')
export const waitsForever = entry('waits-forever')
export const forgetsRetries = entry('forgets-retries')
export const rewritesBatches = entry('rewrites-batches')
export const unboundedQueue = entry('unbounded-queue')
export const oneSlotPerCall = entry('one-slot-per-call')
export const countsByWallClock = entry('counts-by-wall-clock')
export const replacesAbruptly = entry('replaces-abruptly')
export const forgetsLeases = entry('forgets-leases')
export const sendsByWallClock = entry('sends-by-wall-clock')
export const publishesAfterCommit = entry('publishes-after-commit')
