import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startTestService } from '../../server/test/support/service.ts'
import { givenBuiltDashboard, ROOT } from './support/built.ts'
import { givenCodeSeller } from './support/codes.ts'
import { followSection } from './support/guide-steps.ts'
import { visit } from './support/visit.ts'

await givenBuiltDashboard()
const service = await startTestService()
const NAME = 'promotion-codes.md'

/** Runs the guide's command with the shell, and returns what it prints and what the guide says that it prints. */
const runCommand = async (env: Record<string, string>) => {
  const guide = await Bun.file(join(ROOT, 'docs/guides', NAME)).text()
  const [, command = '', answer = ''] = /^```sh\n(.*?)^```\n+```json\n(.*?)^```$/ms.exec(guide) ?? []
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', command], { env: { PATH: process.env.PATH, ...env } })
  return { printed: JSON.parse(await new Response(shell.stdout).text()), shown: JSON.parse(answer) }
}

test('an owner follows the guide, and the sale is credited to the code', async () => {
  const { owner, key } = await givenCodeSeller(service)
  const act = async (page: Page) => {
    expect(await followSection(page, NAME, 'Give a partner a code')).toBe(6)
    const { printed, shown } = await runCommand({ BASE_URL: service.url, API_KEY: key })
    const ids = { sale_id: expect.any(Number), commission_id: expect.any(Number) }
    expect(printed).toEqual({ ...shown, ...ids })
    expect(await followSection(page, NAME, 'See what it brought')).toBe(5)
  }
  await visit(service, owner.path, act, { as: owner.account })
})
