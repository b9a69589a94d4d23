import { runWith } from './run-with.ts'

/** Any clock but the system's own replaces that of the database, as in tests. */
await runWith({ clock: () => new Date() })
