import { TRIBUTARY } from '../config/command-name.ts'
import { ADMIN_COMMANDS } from './admin/admin.ts'
import type { Command, Terminal } from './terminal.ts'

export type CommandEntry = {
  /** Arguments, as shown after the name. */
  usage: string
  /** Without a period. */
  summary: string
  /** More lines of help. */
  details?: string[]
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
          `${TRIBUTARY} start takes no arguments except --without-backup, but got "${got}". Use environment variables.`,
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
    run: load(() => import('./backup.ts')),
  },
  restore: {
    usage: 'FILE | FOLDER | s3://BUCKET/FOLDER | - | ARCHIVE_DIR [--to TIME] [--force]',
    summary: 'Restore a backup, the newest one of a folder, or any second of an archive, and verify it',
    details: [
      '--to TIME   In an archive, the time to restore, such as 2026-11-18T10:00:00Z; without it, the last one',
      '--force     Replace the data of a stopped instance',
    ],
    run: load(() => import('./restore.ts')),
  },
  verify: {
    usage: '[--expect PROGRAM:NUMBER:HASH …]',
    summary: 'Recompute the ledger, every commission and every counter, and report differences',
    details: ['--expect   Compare with a ledger head that you saved elsewhere; can be repeated'],
    run: load(() => import('./verify-ledger.ts')),
  },
  doctor: {
    usage: '[--json]',
    summary: 'Check settings, address, disk, database, mail, backups and background jobs',
    details: ['Changes nothing. Exits with 1 if something must be fixed.'],
    run: load(() => import('./doctor/doctor.ts')),
  },
  'processor:replay': {
    usage: '--program N --since DATE [--dry-run]',
    summary: 'Reapply stored payment processor events and report what changed',
    run: load(() => import('./processor-replay.ts')),
  },
  'processor:reconcile': {
    usage: '--program N [--days 7] [--processor NAME]',
    summary: 'Fetch payment processor events that never arrived',
    run: load(() => import('./processor-reconcile.ts')),
  },
  listen: {
    usage: '--forward-to URL [--key KEY] [--url URL] [--events TYPES] [--after SEQUENCE]',
    summary: "Forward a program's events to a webhook receiver on this machine, for development",
    details: [
      'Signs them with the secret it prints.',
      '',
      '--forward-to   Address of your receiver',
      '--key          API key of the program, or set TRIBUTARY_KEY',
      '--url          Address of the service, or set TRIBUTARY_URL (default: http://localhost:3000)',
      '--events       Only these types, separated by commas (default: all)',
      '--after        Start with the event after this sequence (default: new events only)',
    ],
    run: load(() => import('./listen/listen.ts')),
  },
  admin: {
    usage: 'COMMAND',
    summary: 'Manage accounts, keys and secrets when no one can sign in',
    commands: ADMIN_COMMANDS,
    // Not reached: `runCli` explains a command that has others.
    run: async () => 1,
  },
}
