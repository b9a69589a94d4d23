import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestService, type TestService } from '../../../server/test/support/service.ts'
import { givenBuiltDashboard } from './built.ts'

/** The service as on a first start without the demo: no accounts exist, and the first program has the ID 1. */
export const givenFreshService = async () => {
  await givenBuiltDashboard()
  return startTestService({ openSignup: false })
}

export type Account = { email: string; password: string }

/** The service with the demo's fourteen weeks of traffic, and the demo account. */
export const givenDemoService = async (): Promise<TestService & { demo: Account }> => {
  await givenBuiltDashboard()
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-dashboard-'))
  const service = await startTestService({ demo: true, dataDir, openSignup: true })
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo-sign-in.json'), 'utf8')) as Account
  rmSync(dataDir, { recursive: true, force: true })
  return { ...service, demo }
}
