/**
 * Preloaded into a service: shifts the time of the whole process by the offset in a file, and jumps when the file
 * changes, as if someone set the machine's clock. Timers keep running, as they do then.
 */
import { readFileSync } from 'node:fs'

const LOOK_MS = 20

const RealDate = Date
const file = process.env.CHAOS_CLOCK_FILE ?? ''
const readOffset = () => Number(readFileSync(file, 'utf8')) || 0
let offset = readOffset()
setInterval(() => {
  offset = readOffset()
}, LOOK_MS).unref()

const now = () => RealDate.now() + offset
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) => (given.length === 0 ? new target(now()) : Reflect.construct(target, given)),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
