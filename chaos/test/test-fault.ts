import { expect, test } from 'bun:test'
import { copyPreparedData } from '../../apps/server/test/lifecycle/prepared-data.ts'
import { isLongRun } from '../../apps/server/test/support/size.ts'
import { type Fault, playControl, playProduct } from '../fault.ts'
import { makeTemplate, type Template } from '../instance/stage.ts'

/** Processes start, die and recover in each of these, which takes long on a busy machine. */
const TIMEOUT_MS = 400_000

/** One for the tests of a file; removed after them (apps/server/test/support/after-all-files.ts). */
const shared = globalThis as typeof globalThis & { chaosTemplate?: Promise<Template> | undefined }
const givenTemplate = () => {
  shared.chaosTemplate ??= makeTemplate(copyPreparedData)
  return shared.chaosTemplate
}

/** A fault in its short form and, in the long run, its control: a checker that cannot go red proves nothing. */
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
    TIMEOUT_MS,
  )

  test.skipIf(impossible !== null || !isLongRun)(
    `${name}: the checker goes red on a service that ${control.wrong}`,
    async () => {
      const { findings } = await playControl(fault, { template: await givenTemplate() })
      expect(findings.join('\n')).toMatch(control.finds)
    },
    TIMEOUT_MS,
  )
}
