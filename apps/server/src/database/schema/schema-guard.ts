import { announcedDifference, type SchemaDiffers, schemaDifference } from './own-migrations.ts'

/** Collects what a process learns about the schema while it serves; the first difference stops it. */
export const guardSchema = () => {
  const { promise: mustStop, resolve: stop } = Promise.withResolvers<string>()
  const found = (difference: SchemaDiffers | null) => {
    if (difference) stop(difference.message)
  }
  return {
    /** Resolves with one sentence once this process must no longer serve. */
    mustStop,
    found,
    announced: (migration: string) => found(announcedDifference(migration)),
    compare: (run: string[]) => found(schemaDifference(run)),
  }
}
