import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_EMAIL } from './cast.ts'

export type DemoSignIn = { email: string; password: string }

const fileIn = (dataDir: string) => join(dataDir, 'demo-sign-in.json')

/** How to sign in to the demo, as far as this DATA_DIR knows. */
export const readDemoSignIn = (dataDir: string): DemoSignIn | null => {
  try {
    const { email, password } = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    return typeof email === 'string' && typeof password === 'string' ? { email, password } : null
  } catch {
    return null // never written, or no longer legible: the demo works all the same
  }
}

/**
 * Kept before the demo is committed, not after: a start that is killed between the two leaves a password that the next
 * start uses, and never a demo that nobody can enter.
 */
export const keepDemoSignIn = (dataDir: string): DemoSignIn => {
  const kept = readDemoSignIn(dataDir)
  if (kept) return kept
  const signIn = { email: DEMO_EMAIL, password: randomBytes(12).toString('base64url') }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${fileIn(dataDir)}.new`
  const handle = openSync(draft, 'w', 0o600)
  writeSync(handle, `${JSON.stringify(signIn, null, 2)}\n`)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(draft, fileIn(dataDir))
  return signIn
}
