import { expect, test } from 'bun:test'
import { copyPreparedData } from '../../apps/server/test/lifecycle/prepared-data.ts'
import { isLongRun } from '../../apps/server/test/support/size.ts'
import { type Fault, playControl, playProduct } from '../fault.ts'
import { makeTemplate, type Template } from '../instance/stage.ts'

/** Processes start, die and come back in each of these; on a busy machine that takes its time. */
const PATIENCE_MS = 240_000

/** One for the whole run, however many files use it; removed after the last (apps/server/test/support/after-all-files.ts). */
const shared = globalThis as typeof globalThis & { chaosTemplate?: Promise<Template> }
const givenTemplate = () => {
  shared.chaosTemplate ??= makeTemplate(copyPreparedData)
  return shared.chaosTemplate
}

/** A fault as short as can be and, in the long form, its control: a checker that cannot go red says nothing. */
export const testFault = (fault: Fault) => {
  const { name, promise, control } = fault
  const impossible = fault.impossible?.() ?? null
  if (impossible) console.warn(`SKIPPED: ${impossible}`)

  test.skipIf(impossible !== null)(
    `${name}: ${promise}`,
    async () => {
      const { findings } = await playProduct(fault, { template: await givenTemplate(), isLong: false })
      expect(findings).toEqual([])
    },
    PATIENCE_MS,
  )

  test.skipIf(impossible !== null || !isLongRun)(
    `${name}: the checker goes red on a service that ${control.wrong}`,
    async () => {
      const { findings } = await playControl(fault, { template: await givenTemplate() })
      expect(findings.join('\n')).toMatch(control.finds)
    },
    PATIENCE_MS,
  )
}
