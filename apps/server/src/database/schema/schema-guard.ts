import { findAnnouncedMismatch, findSchemaMismatch, type SchemaMismatch } from './own-migrations.ts'

/** Collects schema changes seen while serving; the first mismatch stops the process. */
export const guardSchema = () => {
  const { promise: mustStop, resolve: stop } = Promise.withResolvers<string>()
  const found = (mismatch: SchemaMismatch | null) => {
    if (mismatch) stop(mismatch.message)
  }
  return {
    /** Resolves with the reason once this process must stop serving. */
    mustStop,
    found,
    announced: (migration: string) => found(findAnnouncedMismatch(migration)),
    compare: (run: string[]) => found(findSchemaMismatch(run)),
  }
}
