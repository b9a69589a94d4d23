import { OPERATIONS } from './operations.ts'

/** A realistic body for each call that takes one. A test validates them against the contract. */
export const EXAMPLE_BODIES: Record<string, object> = Object.fromEntries(
  OPERATIONS.flatMap(({ method, path, example }) => (example ? [[`${method} ${path}`, example]] : [])),
)

/** What the tracking calls answer. A test validates these too. */
export const EXAMPLE_ANSWERS: Record<string, object> = Object.fromEntries(
  OPERATIONS.flatMap(({ method, path, exampleAnswer }) =>
    exampleAnswer ? [[`${method} ${path}`, exampleAnswer]] : [],
  ),
)
