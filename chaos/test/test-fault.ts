import { expect, test } from 'bun:test'
import { type Fault, playControl, playProduct } from '../fault.ts'
import { makeTemplate, type Template } from '../instance/stage.ts'

/** Processes start, die and come back in each of these; on a busy machine that takes its time. */
const PATIENCE_MS = 240_000

/** One for the whole run, however many files use it; removed after the last (apps/server/test/support/after-all-files.ts). */
const shared = globalThis as typeof globalThis & { chaosTemplate?: Promise<Template> }
const givenTemplate = () => {
  shared.chaosTemplate ??= makeTemplate()
  return shared.chaosTemplate
}

/** The short form of a fault, and of its control: a checker that cannot go red says nothing. */
export const testFault = (fault: Fault) => {
  const { name, promise, control } = fault
  const impossible = fault.impossible?.() ?? null
  if (impossible) console.warn(`SKIPPED: ${impossible}`)

  // Both at once: most of the time each of them waits for something.
  let begun: ReturnType<typeof playBoth> | undefined
  const playBoth = async () => {
    const template = await givenTemplate()
    return Promise.allSettled([playProduct(fault, { template, isLong: false }), playControl(fault, { template })])
  }
  const findingsOf = async (which: 0 | 1) => {
    begun ??= playBoth()
    const played = (await begun)[which]
    if (played.status === 'rejected') throw played.reason
    return played.value.findings
  }

  test.skipIf(impossible !== null)(
    `${name}: ${promise}`,
    async () => {
      expect(await findingsOf(0)).toEqual([])
    },
    PATIENCE_MS,
  )

  test.skipIf(impossible !== null)(
    `${name}: the checker goes red on a service that ${control.wrong}`,
    async () => {
      expect((await findingsOf(1)).join('\n')).toMatch(control.finds)
    },
    PATIENCE_MS,
  )
}
