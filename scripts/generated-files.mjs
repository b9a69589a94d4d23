import { runStep } from './run-step.mjs'

const WRITERS = [
  'packages/contract/src/openapi/write-openapi.ts',
  'apps/server/src/database/generate-tables.ts',
  'packages/tracker/build/write-script.ts',
]

/** Writes what is made from a source of truth, or only says whether it is fresh. Answers 0 when all is well. */
export const generate = async ({ root, bun }, { onlyCompare }) => {
  const codes = await Promise.all(
    WRITERS.map((writer) => runStep(bun, [writer, ...(onlyCompare ? ['--check'] : [])], { cwd: root })),
  )
  return Math.max(...codes)
}
