import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_EMAIL, PORTAL_PARTNER_EMAIL } from './demo-data.ts'

export type DemoSignIn = { email: string; password: string }

const demoSignInFile = (dataDir: string) => join(dataDir, 'demo-sign-in.json')

/** The demo's credentials, if this DATA_DIR has them. */
export const readDemoSignIn = (dataDir: string): DemoSignIn | null => {
  try {
    const { email, password } = JSON.parse(readFileSync(demoSignInFile(dataDir), 'utf8'))
    return typeof email === 'string' && typeof password === 'string' ? { email, password } : null
  } catch {
    return null // missing or unreadable: the demo works without it
  }
}

/**
 * Written before the demo commits: a start killed in between leaves a password that the next start uses, and never a demo
 * without a known password.
 */
export const ensureDemoSignIn = (dataDir: string): DemoSignIn => {
  const existing = readDemoSignIn(dataDir)
  if (existing) return existing
  const signIn = { email: DEMO_EMAIL, password: randomBytes(12).toString('base64url') }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${demoSignInFile(dataDir)}.new`
  const handle = openSync(draft, 'w', 0o600)
  writeSync(handle, `${JSON.stringify({ ...signIn, partner: { ...signIn, email: PORTAL_PARTNER_EMAIL } }, null, 2)}\n`)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(draft, demoSignInFile(dataDir))
  return signIn
}
