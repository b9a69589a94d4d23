import { ADMIN_COMMANDS, ADMIN_SCRIPT } from './admin/admin.ts'
import type { Command, Terminal } from './terminal.ts'

export type CommandEntry = {
  /** Arguments, as shown after the name. */
  usage: string
  /** Without a period. */
  summary: string
  /** More lines of help. */
  details?: string[]
  /** The same command in a clone, which its messages name. */
  script?: string
  /** Resolves with the exit code; null while the service runs. */
  run: (terminal: Terminal) => Promise<number | null>
  commands?: Record<string, CommandEntry>
}

/** Loads only the command that runs. */
const load =
  (file: () => Promise<{ command: Command }>): CommandEntry['run'] =>
  async (terminal) =>
    (await file()).command(terminal)

export const COMMANDS: Record<string, CommandEntry> = {
  start: {
    usage: '[--without-backup]',
    summary: 'Start the service, with its own Postgres unless DATABASE_URL is set',
    details: [
      '--without-backup   Upgrade its own Postgres without the backup that a newer version makes first',
      '',
      'Stops on SIGTERM and Ctrl-C after finishing the requests in progress.',
    ],
    run: async ({ args, printError }) => {
      const unknown = args.filter((arg) => arg !== '--without-backup')
      if (unknown.length > 0) {
        const got = unknown.join(' ')
        printError(
          `tributary start takes no arguments except --without-backup, but got "${got}". Use environment variables.`,
        )
        return 1
      }
      await import('../main.ts')
      return null
    },
  },
  backup: {
    usage: 'FILE | FOLDER | s3://BUCKET/FOLDER | - [--keep N]',
    summary: 'Write the database and its secrets to one file, whether or not the service is running',
    details: [
      '-          Write to standard output',
      '--keep N   In a folder, remove all but the newest N backups afterwards',
      '',
      'Set BACKUP_KEY to encrypt it. It contains all customer data and secrets.',
    ],
    script: 'npm run backup',
    run: load(() => import('./backup.ts')),
  },
  restore: {
    usage: 'FILE | FOLDER | s3://BUCKET/FOLDER | - | ARCHIVE_DIR [--to TIME] [--force]',
    summary: 'Restore a backup, the newest one of a folder, or any second of an archive, and verify it',
    details: [
      '--to TIME   In an archive, the time to restore, such as 2026-11-18T10:00:00Z; without it, the last one',
      '--force     Replace the data of a stopped instance',
    ],
    script: 'npm run restore',
    run: load(() => import('./restore.ts')),
  },
  verify: {
    usage: '[--expect PROGRAM:NUMBER:HASH …]',
    summary: 'Recompute the ledger, every commission and every counter, and report differences',
    details: ['--expect   Compare with a ledger head that you saved elsewhere; can be repeated'],
    script: 'npm run ledger:verify',
    run: load(() => import('./verify-ledger.ts')),
  },
  doctor: {
    usage: '[--json]',
    summary: 'Check settings, address, disk, database, mail, backups and background jobs',
    details: ['Changes nothing. Exits with 1 if something must be fixed.'],
    script: 'npm run doctor',
    run: load(() => import('./doctor/doctor.ts')),
  },
  'processor:replay': {
    usage: '--program N --since DATE [--dry-run]',
    summary: 'Reapply stored payment processor events and report what changed',
    script: 'npm run processor:replay',
    run: load(() => import('./processor-replay.ts')),
  },
  'processor:reconcile': {
    usage: '--program N [--days 7]',
    summary: 'Fetch payment processor events that never arrived',
    script: 'npm run processor:reconcile',
    run: load(() => import('./processor-reconcile.ts')),
  },
  listen: {
    usage: '--forward-to URL [--key KEY] [--url URL] [--events TYPES] [--after SEQUENCE]',
    summary: "Forward a program's events to a webhook receiver on this machine, for development",
    script: 'npm run listen',
    run: load(() => import('./listen/listen.ts')),
  },
  admin: {
    usage: 'COMMAND',
    summary: 'Manage accounts, keys and secrets when no one can sign in',
    script: ADMIN_SCRIPT,
    commands: Object.fromEntries(
      Object.entries(ADMIN_COMMANDS).map(([name, entry]) => [name, { script: ADMIN_SCRIPT, ...entry }]),
    ),
    // Not reached: `runCli` explains a command that has others.
    run: async () => 1,
  },
}
