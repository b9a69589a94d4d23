import { totalmem } from 'node:os'

const MB = 2 ** 20
const [MIN_MB, MAX_MB] = [128, 1_024]
const SHARE = 16

/**
 * Postgres shared_buffers in megabytes: a sixteenth of the machine's or container's memory. Leads in a large database read
 * scattered rows, and each page that is not cached costs as much as a row (docs/decisions/0016).
 */
export const pageCacheMb = (memoryBytes = process.constrainedMemory() || totalmem()) =>
  Math.min(MAX_MB, Math.max(MIN_MB, Math.floor(memoryBytes / SHARE / MB)))
