import { type Declaration, listed } from './declaration.ts'
import type { Operation } from './operation.ts'
import { ALL_RESOURCES } from './resources.ts'

/** An owner who views the portal as a partner can call everything in it, but change nothing. */
export const OPERATIONS: Operation[] = ALL_RESOURCES.flatMap((resource) =>
  Array.isArray(resource) ? resource : listed(resource),
).map((operation) =>
  operation.caller === 'partner' && operation.method !== 'get'
    ? { ...operation, refusals: [...operation.refusals, 'read_only_view'] }
    : operation,
)

export const DECLARATIONS = ALL_RESOURCES.flatMap((resource): Declaration[] =>
  Array.isArray(resource) ? [] : Object.values(resource),
)
