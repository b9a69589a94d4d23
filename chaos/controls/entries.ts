import { join } from 'node:path'

const entry = (name: string) => join(import.meta.dir, `${name}.ts`)

/** Each is the whole service, composed here, with one part that is wrong on purpose. */
export const acknowledgesBeforeCommit = entry('acknowledges-before-commit')
export const claimsBeforeWork = entry('claims-before-work')
export const waitsForever = entry('waits-forever')
export const forgetsRepetitions = entry('forgets-repetitions')
export const writesAnew = entry('writes-anew')
export const queuesWithoutEnd = entry('queues-without-end')
export const holdsPlaces = entry('holds-places')
export const countsByWallClock = entry('counts-by-wall-clock')
export const replacesAbruptly = entry('replaces-abruptly')
