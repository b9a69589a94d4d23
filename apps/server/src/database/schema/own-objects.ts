import { MIGRATIONS_DIRECTORY, OWN_MIGRATIONS } from './own-migrations.ts'

/**
 * Tells our tables and functions from those of other applications in the same database, by the names in our migrations. If a newer
 * version has migrated it, everything counts as ours, because its names are unknown.
 */
export const findOwnObjects = async (migrations: string[]) => {
  if (migrations.some((name) => !OWN_MIGRATIONS.includes(name))) return () => true
  const texts = await Promise.all(OWN_MIGRATIONS.map((name) => Bun.file(`${MIGRATIONS_DIRECTORY}/${name}.sql`).text()))
  const names = new Set(
    texts.flatMap((text) => [...text.matchAll(/^CREATE (?:TABLE|FUNCTION) (\w+)/gm)].map((match) => match[1])),
  )
  return ({ name }: { name: string }) => names.has(name)
}
