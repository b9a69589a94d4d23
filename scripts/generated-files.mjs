import { runStep } from './run-step.mjs'

const WRITERS = [
  'packages/contract/src/openapi/write-openapi.ts',
  'apps/server/src/database/generate-tables.ts',
  'packages/tracker/build/write-script.ts',
]

/** Writes the generated files, or only checks that they are up to date. Returns 0 on success. */
export const generate = async ({ root, bun }, { onlyCompare }) => {
  const codes = await Promise.all(
    WRITERS.map((writer) => runStep(bun, [writer, ...(onlyCompare ? ['--check'] : [])], { cwd: root })),
  )
  return Math.max(...codes)
}
