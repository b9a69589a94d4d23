/** Loaded before the first test file (bunfig.toml). A failed random test prints its seed; `SEED=… npm test -- FILE` repeats it. */
import fc from 'fast-check'
import { isLongRun } from './size.ts'

/** Below the test timeout. On a database, shrinking takes so long that the timeout would hide the failure and its seed. */
const TIME_LIMIT_MS = 45_000

const { SEED } = process.env

fc.configureGlobal({
  ...(!isLongRun && { interruptAfterTimeLimit: TIME_LIMIT_MS }),
  ...(SEED !== undefined && { seed: Number(SEED) }),
})
