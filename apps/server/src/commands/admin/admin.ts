import type { Command } from '../terminal.ts'

type AdminEntry = {
  usage: string
  summary: string
  details?: string[]
  run: Command
}

const load =
  (find: () => Promise<Command>): Command =>
  async (terminal) =>
    (await find())(terminal)

/** What an operator needs when no one can sign in, and no mail can be sent. Every change but a new session secret is in the audit log. */
export const ADMIN_COMMANDS: Record<string, AdminEntry> = {
  'create-owner': {
    usage: 'EMAIL [--name NAME] [--workspace ID | --new-workspace NAME] [--existing]',
    summary: 'Create an account that owns a workspace, or make an existing account an owner',
    details: [
      'Prints a new password once. Without --workspace, creates a workspace.',
      'An address that already has an account is refused without --existing: anyone may have signed up with it.',
      'With --existing, the account gets a new password, and every other way to sign in to it ends.',
    ],
    run: load(async () => (await import('./accounts.ts')).createOwner),
  },
  'reset-password': {
    usage: 'EMAIL',
    summary: 'Set a new password and end all sessions of an account',
    details: ['Prints the password once. Two-factor sign-in stays on.'],
    run: load(async () => (await import('./accounts.ts')).resetPassword),
  },
  'disable-two-factor': {
    usage: 'EMAIL',
    summary: 'Turn off two-factor sign-in for someone who lost their device and recovery codes',
    run: load(async () => (await import('../reset-two-factor.ts')).command),
  },
  workspaces: {
    usage: '',
    summary: 'List workspaces and their owners',
    run: load(async () => (await import('./lists.ts')).listWorkspaces),
  },
  programs: {
    usage: '',
    summary: 'List programs',
    run: load(async () => (await import('./lists.ts')).listPrograms),
  },
  keys: {
    usage: '--program ID',
    summary: 'List the newest API keys of a program',
    run: load(async () => (await import('./keys.ts')).listKeys),
  },
  'create-key': {
    usage: '--program ID [--name NAME]',
    summary: 'Create an API key and print it once',
    run: load(async () => (await import('./keys.ts')).createKey),
  },
  'revoke-key': {
    usage: 'KEY_ID',
    summary: 'Revoke an API key',
    run: load(async () => (await import('./keys.ts')).revokeKey),
  },
  'rotate-session-secret': {
    usage: '',
    summary: 'Replace the secret that signs sessions, while the service is stopped',
    details: [
      'Everyone signs in again. Authenticator apps go on working; recovery codes do not.',
      'HASH_KEY cannot be replaced: stored hashes of email addresses and erased customers depend on it.',
    ],
    run: load(async () => (await import('./rotate-session-secret.ts')).rotateSessionSecret),
  },
}
