import { StartupError } from './startup-error.ts'

type Environment = Record<string, string | undefined>

/** Shorter names resemble those of other programs too often, such as HOST and HOME. */
const MIN_LENGTH = 6

/** Remembers which settings are read, instead of keeping a second list of names. */
export const watchSettings = (env: Environment) => {
  const known = new Set<string>()
  const watched = new Proxy(env, {
    get: (target, name) => {
      if (typeof name === 'string') known.add(name)
      return Reflect.get(target, name)
    },
  })
  return { watched, known }
}

/**
 * A misspelled setting would silently keep its default. The environment is full of other programs' variables, so only a name
 * that resembles one of ours is refused.
 */
export const refuseMisspelled = (env: Environment, known: Set<string>) => {
  const candidates = [...known].filter((name) => name.length >= MIN_LENGTH)
  for (const name of Object.keys(env)) {
    if (known.has(name) || name.length < MIN_LENGTH) continue
    const meant = candidates.find((candidate) => isMisspelling(plain(name), plain(candidate)))
    if (meant) throw new StartupError(`${name} is not a setting. Did you mean ${meant}?`)
  }
}

const plain = (name: string) => name.replaceAll('_', '').toUpperCase()

/** One wrong letter in every four, at most three. */
const isMisspelling = (name: string, meant: string) =>
  name[0] === meant[0] && editDistance(name, meant) <= Math.min(3, Math.floor(meant.length / 4))

/** How many letters to insert, remove or replace to turn one word into the other. */
const editDistance = (from: string, to: string) => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + (letter === other ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
