import { announcedDifference, type SchemaDiffers, schemaDifference } from './own-migrations.ts'

/** Collects schema changes seen while serving; the first mismatch stops the process. */
export const guardSchema = () => {
  const { promise: mustStop, resolve: stop } = Promise.withResolvers<string>()
  const found = (difference: SchemaDiffers | null) => {
    if (difference) stop(difference.message)
  }
  return {
    /** Resolves with the reason once this process must stop serving. */
    mustStop,
    found,
    announced: (migration: string) => found(announcedDifference(migration)),
    compare: (run: string[]) => found(schemaDifference(run)),
  }
}
