import { totalmem } from 'node:os'

const MB = 2 ** 20
const [LEAST_MB, MOST_MB] = [128, 1_024]
const SHARE = 16

/**
 * What Postgres keeps of its pages, in megabytes: a sixteenth of the machine or of the container that we are in. Sign-ups of a full
 * database read rows from all over it, and each page that is not there costs as much as a row (docs/decisions/0016).
 */
export const pageCacheMb = (memoryBytes = process.constrainedMemory() || totalmem()) =>
  Math.min(MOST_MB, Math.max(LEAST_MB, Math.floor(memoryBytes / SHARE / MB)))
